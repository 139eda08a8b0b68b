import { access, constants, mkdir } from "node:fs/promises";
import { TsopError } from "../errors/tsop-error.ts";

/** Makes a folder that a user has named, with its parents, or says what stands in the way. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (cause) {
    throw new TsopError(
      "TSOP_FOLDER_UNUSABLE",
      { folder, reason: reasonOf(cause as NodeJS.ErrnoException) },
      { cause },
    );
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === "EEXIST" || code === "ENOTDIR") return "there is a file in its place";
  return code === "EACCES" || code === "EROFS" ? "it may not be written to" : message;
}

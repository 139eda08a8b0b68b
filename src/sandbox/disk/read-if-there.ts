import { readRegularFile } from "../../files/read-regular-file.ts";

/** Reads a file; `undefined` if there is none. */
export function readIfThere(file: string): Buffer | undefined {
  try {
    return readRegularFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

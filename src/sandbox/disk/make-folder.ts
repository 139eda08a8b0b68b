import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import { diskReason } from "./disk-reason.ts";

/** Creates a folder that a user named, with its parents, or fails with the reason. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeWithParents(folder);
    await access(folder, constants.W_OK);
  } catch (cause) {
    throw new TsopError("TSOP_FOLDER_UNUSABLE", { folder, reason: diskReason(cause) }, { cause });
  }
}

/** Creates a folder and its parents. Node's `recursive` never returns if no folder can be created, as below /proc. */
async function makeWithParents(folder: string, parentsAreThere = false): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await stat(folder)).isDirectory()) return;
    if (code !== "ENOENT" || parentsAreThere || dirname(folder) === folder) throw error;
    await makeWithParents(dirname(folder));
    await makeWithParents(folder, true);
  }
}

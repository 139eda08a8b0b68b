import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import { diskReason } from "./disk-reason.ts";

/** Makes a folder that a user has named, with its parents, or says what stands in the way. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeWithParents(folder);
    await access(folder, constants.W_OK);
  } catch (cause) {
    throw new TsopError("TSOP_FOLDER_UNUSABLE", { folder, reason: diskReason(cause) }, { cause });
  }
}

/** Not with Node's `recursive`, which tries for ever where no folder can be made, as below /proc. */
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

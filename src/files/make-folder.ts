import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import { diskReason } from "./disk-reason.ts";

/** Creates a folder and its parents, or fails with the reason. Returns the first folder that it created. */
export async function makeFolder(folder: string): Promise<string | undefined> {
  try {
    const created = await makeWithParents(folder);
    await access(folder, constants.W_OK);
    return created;
  } catch (cause) {
    throw new TsopError("TSOP_FOLDER_UNUSABLE", { folder, reason: diskReason(cause) }, { cause });
  }
}

/** Creates a folder and its parents. Node's `recursive` never returns if no folder can be created, as below /proc. */
async function makeWithParents(folder: string, parentsAreThere = false): Promise<string | undefined> {
  try {
    await mkdir(folder);
    return folder;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await stat(folder)).isDirectory()) return undefined;
    if (code !== "ENOENT" || parentsAreThere || dirname(folder) === folder) throw error;
    const created = await makeWithParents(dirname(folder));
    await makeWithParents(folder, true);
    return created ?? folder;
  }
}

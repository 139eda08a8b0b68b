import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import { diskReason } from "./disk-reason.ts";

/** Creates a folder and its parents, or fails with the reason. Returns the first folder that it created. */
export async function makeFolder(folder: string): Promise<string | undefined> {
  try {
    const created = makeWithParents(folder);
    accessSync(folder, constants.W_OK);
    return created;
  } catch (cause) {
    throw new TsopError("TSOP_FOLDER_UNUSABLE", { folder, reason: diskReason(cause) }, { cause });
  }
}

/** Creates a folder and its parents. Node's `recursive` never returns if no folder can be created, as below /proc. */
export function makeWithParents(folder: string, parentsAreThere = false): string | undefined {
  try {
    mkdirSync(folder);
    return folder;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(folder).isDirectory()) return undefined;
    if (code !== "ENOENT" || parentsAreThere || dirname(folder) === folder) throw error;
    const created = makeWithParents(dirname(folder));
    makeWithParents(folder, true);
    return created ?? folder;
  }
}

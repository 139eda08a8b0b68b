import { dirname, join } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";

/** Returns the nearest folder, from `cwd` upwards, that holds a PROJECT file. */
export async function findProjectRoot(cwd: string, disk: Reader): Promise<string> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if ((await disk.read(join(folder, "PROJECT"))) !== undefined) return folder;
    if (folder === dirname(folder)) throw new TsopError("TSOP_PROJECT_NOT_FOUND", { cwd });
  }
}

interface Reader {
  read(path: string): Promise<string | undefined>;
}

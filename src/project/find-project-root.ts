import { dirname, join } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";

/** Returns the nearest folder, from `cwd` upwards, that holds a PROJECT file. */
export async function findProjectRoot(cwd: string, disk: Reader): Promise<string> {
  const root = await outerProjectRoot(cwd, disk);
  if (root === undefined) throw new TsopError("TSOP_PROJECT_NOT_FOUND", { cwd });
  return root;
}

/** Returns the nearest folder with a PROJECT file, if there is one. */
export async function outerProjectRoot(start: string, disk: Reader): Promise<string | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    if ((await disk.read(join(folder, "PROJECT"))) !== undefined) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

interface Reader {
  read(path: string): Promise<string | undefined>;
}

import { dirname, join, relative } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import type { Disk } from "./disk.ts";

/**
 * Throws if one of the paths, relative to a root, is outside of it: by `..`, as an absolute path, or through a symbolic
 * link to another folder. A path may itself be a link, since files are replaced and never written through.
 */
export async function checkInside(root: string, paths: readonly string[], disk: Pick<Disk, "realPath">): Promise<void> {
  const realRoot = await disk.realPath(root);
  const judged = new Map<string, Promise<boolean>>();
  for (const path of paths) {
    const target = join(root, path);
    const folder = dirname(target);
    const isInside = judged.get(folder) ?? disk.realPath(folder).then((real) => isBelow(realRoot, real));
    judged.set(folder, isInside);
    if (!isBelow(root, target) || target === root || path.startsWith("/") || !(await isInside))
      throw new TsopError("TSOP_OUTSIDE", { path, root });
  }
}

function isBelow(folder: string, path: string): boolean {
  return !/^\.\.(\/|$)/.test(relative(folder, path));
}

import { dirname, isAbsolute, join, resolve } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import type { Disk } from "./disk.ts";
import { isBelow } from "./slashes.ts";

/**
 * Throws if one of the paths, relative to a root, is outside of it: by `..`, as an absolute path, or through a symbolic
 * link to another folder. A path may itself be a link, since files are replaced and never written through. Folders in
 * `others`, relative to the root, are allowed as well.
 */
export async function checkInside(
  root: string,
  paths: readonly string[],
  disk: Pick<Disk, "realPath">,
  others: readonly string[] = [],
): Promise<void> {
  const allowed = await Promise.all(
    [root, ...others.map((folder) => resolve(root, folder))].map(async (folder) => ({
      folder,
      real: await disk.realPath(folder),
    })),
  );
  const isInside = async (folder: string): Promise<boolean> => {
    const real = await disk.realPath(folder);
    return allowed.some((each) => isBelow(each.folder, folder) && isBelow(each.real, real));
  };
  const known = new Map<string, boolean>();
  for (const path of paths) {
    const folder = dirname(join(root, path));
    if (!known.has(folder)) known.set(folder, await isInside(folder));
    if (!known.get(folder) || isAbsolute(path) || path === "") throw new TsopError("TSOP_OUTSIDE", { path, root });
  }
}

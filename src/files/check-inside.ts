import { dirname, join, relative, resolve } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import type { Disk } from "./disk.ts";

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
  const realFolders = new Map<string, Promise<string>>();
  for (const path of paths) {
    const target = join(root, path);
    const folder = dirname(target);
    const known = realFolders.get(folder) ?? disk.realPath(folder);
    realFolders.set(folder, known);
    const real = await known;
    const isInside = allowed.some((each) => isBelow(each.folder, folder) && isBelow(each.real, real));
    if (!isInside || path.startsWith("/") || path === "") throw new TsopError("TSOP_OUTSIDE", { path, root });
  }
}

/** A folder is below itself. */
function isBelow(folder: string, path: string): boolean {
  return !/^\.\.(\/|$)/.test(relative(folder, path));
}

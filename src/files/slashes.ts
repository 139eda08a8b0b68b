import * as system from "node:path";
import type { PlatformPath } from "node:path";

/** Returns a path with slashes, as plans, manifests, archives and messages have it on every system. */
export function withSlashes(path: string, { sep }: Pick<PlatformPath, "sep"> = system): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/** Returns the way from a folder to a file, with slashes. On Windows, a file on another drive keeps its absolute path. */
export function relativePath(folder: string, file: string, paths: PlatformPath = system): string {
  return withSlashes(paths.relative(folder, file), paths);
}

/** Reports whether a path is a folder, or below it. */
export function isBelow(folder: string, path: string, paths: PlatformPath = system): boolean {
  const way = relativePath(folder, path, paths);
  return !/^\.\.(\/|$)/.test(way) && !paths.isAbsolute(way);
}

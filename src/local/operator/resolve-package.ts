import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * Returns the real path of what the project imports as `name`. Node returns the path of a link instead (seen with Node
 * 20) if the file that the process examined last was a pipe, such as its output or a manifest to apply; a package that is
 * loaded by its link does not find its own dependencies.
 */
export function resolvePackage(root: string, name: string): string {
  return realpathSync.native(createRequire(join(root, "package.json")).resolve(name));
}

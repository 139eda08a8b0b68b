import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Returns the path of a file in this package: in a folder above this code, or by the package's name, which takes
 * longer. The code moves when it is bundled.
 */
export function packageFile(path: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return join(folder, path);
    if (folder === dirname(folder)) break;
  }
  return join(dirname(requireHere().resolve("tsop/package.json")), path);
}

/** Loads a dependency of this package without a promise. */
export function packageRequire(name: string): unknown {
  return requireHere()(name);
}

/** Few commands need it, and `node:module` takes a while to load. */
function requireHere(): NodeJS.Require {
  return process.getBuiltinModule("node:module").createRequire(import.meta.url);
}

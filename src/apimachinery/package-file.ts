import { existsSync } from "node:fs";
import { createRequire } from "node:module";
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
  return join(dirname(createRequire(import.meta.url).resolve("tsop/package.json")), path);
}

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The path of a file that this package ships: above this code, which lies elsewhere once it is bundled, or where the
 * package's name leads, which takes longer.
 */
export function packageFile(path: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return join(folder, path);
    if (folder === dirname(folder)) break;
  }
  return join(dirname(createRequire(import.meta.url).resolve("tsop/package.json")), path);
}

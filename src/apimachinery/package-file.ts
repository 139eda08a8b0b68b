import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The path of a file that this package ships. The package names itself, since the bundled code lies elsewhere than its source. */
export function packageFile(path: string): string {
  return join(dirname(createRequire(import.meta.url).resolve("tsop/package.json")), path);
}

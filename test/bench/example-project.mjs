// The Memcached example as its user has it: a folder of its own, with the packages it needs and this tsop.
import { cpSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Makes the project in `folder`, which is not there yet. */
export function exampleProject(folder) {
  cpSync(join(repository, "examples/memcached-operator"), folder, { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  const packages = join(repository, "node_modules");
  for (const name of readdirSync(packages)) symlinkSync(join(packages, name), join(folder, "node_modules", name));
  // Copied, as a package is: what a link leads to is sources of the project to vitest, which transforms them.
  for (const path of ["package.json", "bin", "dist", "src"])
    cpSync(join(repository, path), join(folder, "node_modules/tsop", path), { recursive: true, filter: isPublished });
  return folder;
}

/** Of src, only data is in the package. */
function isPublished(path) {
  const inSources = path.startsWith(join(repository, "src"));
  return !inSources || statSync(path).isDirectory() || path.endsWith(".json");
}

// A copy of the Memcached example in a folder of its own, with the packages it needs and this tsop.
import { cpSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Creates the project in `folder`, which must not exist yet. */
export function createExampleProject(folder) {
  cpSync(join(repository, "examples/memcached-operator"), folder, { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  const packages = join(repository, "node_modules");
  for (const name of readdirSync(packages)) symlinkSync(join(packages, name), join(folder, "node_modules", name));
  // Copied like an installed package: Vitest treats the target of a link as sources of the project and transforms them.
  for (const path of ["package.json", "bin", "dist", "src"])
    cpSync(join(repository, path), join(folder, "node_modules/tsop", path), { recursive: true, filter: isPublished });
  return folder;
}

/** Reports whether the package holds a path: of src, only the data. */
function isPublished(path) {
  const inSources = path.startsWith(join(repository, "src"));
  return !inSources || statSync(path).isDirectory() || path.endsWith(".json");
}

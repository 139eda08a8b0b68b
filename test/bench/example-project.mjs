// The Memcached example as its user has it: a folder of its own, with the packages it needs and this tsop.
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Makes the project in `folder`, which is not there yet. */
export function exampleProject(folder) {
  cpSync(join(repository, "examples/memcached-operator"), folder, { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  const packages = join(repository, "node_modules");
  for (const name of readdirSync(packages)) symlinkSync(join(packages, name), join(folder, "node_modules", name));
  symlinkSync(repository, join(folder, "node_modules/tsop"));
  return folder;
}

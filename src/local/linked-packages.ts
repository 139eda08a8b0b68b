import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseJsonObject } from "../apimachinery/parse-json-object.ts";

/** Returns the folders of the packages that package.json names and a workspace links into the project, but tsop itself. */
export async function linkedPackages(root: string): Promise<string[]> {
  const file = join(root, "package.json");
  const text = await readFile(file, "utf8").catch(() => "{}");
  const { dependencies, devDependencies } = parseJsonObject(text, file);
  const names = Object.keys({ ...(dependencies as object), ...(devDependencies as object) });
  const { resolve } = createRequire(file);
  const folders = names
    .filter((name) => name !== "tsop")
    .flatMap(
      (name) =>
        resolve
          .paths(name)
          ?.map((folder) => join(folder, name))
          .find(existsSync) ?? [],
    );
  const real = await Promise.all(folders.map((folder) => realpath(folder)));
  return real.filter((folder) => !/[/\\]node_modules[/\\]/.test(folder));
}

// A published tsop: the built package under a version, with lines of its templates replaced.
import { cpSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Writes the package into a folder. Each replacement is a pair of parts of one line; one that fits nowhere is an error. */
export function writeTsop(folder, version, replacements) {
  for (const name of ["bin", "dist"]) cpSync(join(repository, name), join(folder, name), { recursive: true });
  const isData = (path) => path.endsWith(".json") || statSync(path).isDirectory();
  cpSync(join(repository, "src"), join(folder, "src"), { recursive: true, filter: isData });
  const { private: _private, ...manifest } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, version }));
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  const left = new Set(replacements);
  for (const name of readdirSync(join(folder, "dist")).filter((each) => each.endsWith(".js"))) {
    const path = join(folder, "dist", name);
    let text = readFileSync(path, "utf8");
    for (const pair of replacements) {
      if (!text.includes(pair[0])) continue;
      text = text.replaceAll(pair[0], pair[1]);
      left.delete(pair);
    }
    writeFileSync(path, text);
  }
  if (left.size > 0) throw new Error(`no template has: ${[...left].map(([before]) => before).join("; ")}`);
}

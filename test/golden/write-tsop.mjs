// A published tsop: the built package under a version, with lines of its templates replaced.
import { createHash } from "node:crypto";
import { cpSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
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
  const path = join(folder, "dist/tool.cjs");
  let text = readFileSync(path, "utf8");
  const left = replacements.filter(([before]) => !text.includes(before));
  if (left.length > 0) throw new Error(`no template has: ${left.map(([before]) => before).join("; ")}`);
  for (const [before, after] of replacements) text = text.replaceAll(before, after);
  // Compiled code is kept by the hash in the first line.
  writeFileSync(path, text.replace(/[0-9a-f]{16}/, hashText(text).slice(0, 16)));
}

function hashText(text) {
  return createHash("sha256").update(text).digest("hex");
}

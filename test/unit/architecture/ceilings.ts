import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The paths that git ignores, such as code that the build writes. */
const ignored = readFileSync(join(root, ".gitignore"), "utf8").trim().split("\n");

/** Returns the number of lines of all code in files and below folders of this repository. */
export function countLines(paths: readonly string[]): number {
  return paths
    .flatMap(filesBelow)
    .map((file) => readFileSync(join(root, file), "utf8").split("\n").length - 1)
    .reduce((sum, lines) => sum + lines, 0);
}

/**
 * Returns what is wrong with a number of lines and its ceiling: too many lines, or a ceiling that has not followed them
 * down. A small room may be farther below its ceiling, as ceilings are rounded up to `step` lines.
 */
export function ceilingProblem(what: string, lines: number, ceiling: number, step: number): string | undefined {
  const place = "(ARCHITECTURE.md, section 2)";
  const facts = `${what} has ${show(lines)} lines; its ceiling is ${show(ceiling)} ${place}`;
  const fitting = Math.ceil(lines / step) * step;
  if (lines > ceiling) return facts;
  if (ceiling > Math.max(fitting, lines * 1.05)) return `${facts}: lower it to ${show(fitting)}`;
  return undefined;
}

function show(count: number): string {
  return count.toLocaleString("en-US");
}

function filesBelow(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
    .map((file) => `${path}/${file}`)
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !ignored.some((each) => `/${file}`.includes(`/${each}`)));
}

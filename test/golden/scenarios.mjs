// The scenarios, and the runner of a commands.txt, for the golden test and its rewrite.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const goldenRoot = fileURLToPath(new URL(".", import.meta.url));

/** The folders next to this file that hold a commands.txt. */
export const scenarios = readdirSync(goldenRoot).filter((name) => existsSync(join(goldenRoot, name, "commands.txt")));

/** Files written by hand: the commands, and files that the project gets from elsewhere. */
export const givenNames = ["commands.txt", "given"];

/**
 * Runs the commands of a scenario in a folder, at a fixed date, with the `main` and the real Io of `src` or of `dist`.
 */
export async function runScenario(name, folder, main, realIo) {
  const given = join(goldenRoot, name, "given");
  if (existsSync(given)) cpSync(given, join(folder, "given"), { recursive: true });
  for (const line of readFileSync(join(goldenRoot, name, "commands.txt"), "utf8")
    .trim()
    .split("\n")) {
    const [program, ...argv] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
    if (program !== "tsop") throw new Error(`${name}/commands.txt: only tsop can be run, not ${program}`);
    let talk = "";
    const stderr = { write: (text) => void (talk += text), isTTY: false, columns: 100 };
    const io = { ...realIo, cwd: folder, isTTY: false, now: () => new Date("2026-01-01T12:00:00Z"), stderr };
    const code = await main(argv, io);
    if (code !== 0) throw new Error(`${line} ended with ${code}:\n${talk}`);
  }
}

/** Returns all files below a folder, relative and sorted. */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

/** Links the packages of this repository, and copies tsop itself, into a project, in place of an installation. */
export function linkPackages(folder) {
  const repository = join(goldenRoot, "../..");
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(repository, "node_modules"))) {
    symlinkSync(join(repository, "node_modules", name), join(modules, name));
  }
  // Not a link: Vitest treats the target of a link as code of the project, and transforms it.
  const copy = (name, filter = () => true) =>
    cpSync(join(repository, name), join(modules, "tsop", name), { recursive: true, filter });
  for (const name of ["package.json", "bin", "dist"]) copy(name);
  copy("src", (path) => path.endsWith(".json") || statSync(path).isDirectory());
}

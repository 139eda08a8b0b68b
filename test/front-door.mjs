// A newcomer's first hour: clones this repository into an empty folder, with an empty home and no variables but those of
// a login, and types what README.md and docs/quickstart.md say. Ends with the exit code of the first command that fails.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tsop-front-door-"));
const checkout = join(folder, "tsop");
const home = join(folder, "home");
const env = { HOME: home, PATH: process.env.PATH, TERM: "xterm", LANG: "C.UTF-8", USER: "newcomer" };

/** The commands that README.md gives for a checkout: `npm ci && npm run demo` and `npm ci && npm test`. */
const readme = readFileSync(join(repository, "README.md"), "utf8");
const commands = [...readme.matchAll(/^```sh ignore: CI runs it.*\n(.*)\n```$/gm)].map(([, command]) => command);

function type(cwd, command) {
  console.log(`\n$ ${command}`);
  const start = performance.now();
  const { status } = spawnSync("bash", ["-c", command], { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
  console.log(`(${((performance.now() - start) / 1000).toFixed(0)} s)`);
  if (status !== 0) throw new Error(`"${command}" ended with ${status}`);
}

try {
  if (commands.length !== 2) throw new Error(`README.md has ${commands.length} commands for a checkout instead of 2`);
  mkdirSync(home);
  type(folder, `git clone --quiet ${repository} tsop`);
  for (const command of commands) type(checkout, command);
  // This test types the blocks of the pages, one after the other, in one shell.
  type(checkout, 'npx vitest run --project e2e test/e2e/documents.test.ts -t "README.md|docs/quickstart.md"');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

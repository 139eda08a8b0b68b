// A newcomer's first minutes: clones this repository into an empty folder, with an empty home and no variables but those
// of a login, and types the two commands of README.md. Exits with the code of the first command that fails. The rest of
// README.md, and the other pages, are typed by documents.test.ts, with an empty home, too.
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
} finally {
  rmSync(folder, { recursive: true, force: true });
}

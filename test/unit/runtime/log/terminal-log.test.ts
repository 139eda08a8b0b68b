import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { visibleControls } from "../../../../src/apimachinery/visible-controls.ts";

const folder = mkdtempSync(join(tmpdir(), "tsop-terminal-log-"));
const program = join(folder, "program.mjs");
afterAll(() => rmSync(folder, { recursive: true }));

/** An operator that logs, or ends with, what a server said. */
const contents = `
  import { zapLogger } from "./runtime/log/zap-logger.ts";
  import { exitWithError } from "./runtime/manager/exit-with-error.ts";
  const said = "\\u001b]0;title\\u0007\\u009b2J";
  const [what] = process.argv.slice(2);
  if (what === "exit") exitWithError(new Error(said));
  const log = zapLogger(what === "" ? {} : { encoder: what });
  log.error(new Error(said), "Reconciler error", { said });`;

beforeAll(async () => {
  const resolveDir = fileURLToPath(new URL("../../../../src", import.meta.url));
  await build({ stdin: { contents, resolveDir }, outfile: program, bundle: true, platform: "node", format: "esm" });
});

const hasTerminal = spawnSync("script", ["--version"]).status === 0;
const ways = ["", "console", "json", "exit"];

describe.skipIf(!hasTerminal)("on a terminal (skipped without script(1))", () => {
  it.each(ways)("an operator's control characters are shown: %j", (what) => {
    const command = `'${process.execPath}' '${program}' '${what}'`;
    const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], { encoding: "utf8" });
    expect(stdout).toMatch(/\\(x1b|u001b)\]0;title\\(x07|u0007)\\x9b2J/);
    expect(visibleControls(stdout)).toBe(stdout);
  });
});

it("keeps them in a pipe", () => {
  const { stderr } = spawnSync(process.execPath, [program, "exit"], { encoding: "utf8" });
  expect(stderr).toContain("\u001b]0;title\u0007\u009b2J");
});

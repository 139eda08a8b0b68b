import { spawn, spawnSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build, buildSync } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../../../temporary-folder.ts";

const folder = temporaryFolder();
const program = join(folder, "program.mjs");
const source = fileURLToPath(new URL("../../../../src/cli/terminal/real-output.ts", import.meta.url));

/** Writes 300,000 characters and a line, and reports what it knows of its output. */
const contents = `
  import { isTerminal, realOutput } from ${JSON.stringify(source)};
  const output = realOutput(1);
  output.write("ü".repeat(150_000));
  output.write("end\\n");
  realOutput(2).write(JSON.stringify([output.isTTY, output.columns, isTerminal(0)]));`;

beforeAll(async () => {
  await build({
    stdin: { contents, resolveDir: folder },
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
  });
});

const isWhole = (output: string): boolean => output === `${"ü".repeat(150_000)}end\n`;

it("writes to a pipe, and distinguishes pipes and closed files from terminals", () => {
  const run = (stdin: "ignore" | "pipe", script: string) =>
    spawnSync("sh", ["-c", script, process.execPath, program], { stdio: [stdin, "pipe", "pipe"], encoding: "utf8" });
  const { stdout, stderr } = run("pipe", '"$0" "$1"');
  expect([isWhole(stdout), stderr]).toEqual([true, "[false,100,false]"]);
  expect(run("ignore", '"$0" "$1" <&- | cat').stderr).toBe("[false,100,false]");
});

it("ends silently if the reader has gone", () => {
  const { status, stderr } = spawnSync("sh", ["-c", `"$0" "$1" | true`, process.execPath, program], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, "[false,100,false]"]);
});

it("keeps what a full pipe does not take, and writes it when the reader reads", async () => {
  const pipe = join(folder, "pipe");
  expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
  const readEnd = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  const child = spawn(process.execPath, [program], { stdio: ["ignore", writeEnd, "pipe"] });
  closeSync(writeEnd);
  const said = text(child.stderr!);
  expect(isWhole(await text(new Socket({ fd: readEnd })))).toBe(true);
  expect(await said).toBe("[false,100,false]");
});

const recorder = spawnSync("script", ["--version"]).status === 0;

it.skipIf(!recorder)("shows control characters on a terminal, and keeps them in a pipe", () => {
  const file = join(folder, "controls.mjs");
  buildSync({
    stdin: {
      contents: `
        import { realOutput } from ${JSON.stringify(source)};
        realOutput(1).write("\\u001b[2mname\\u001b[0m \\u001b]0;title\\u0007\\n");`,
      resolveDir: folder,
    },
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  const shown = spawnSync("script", ["-qec", `${process.execPath} ${file}`, "/dev/null"], { encoding: "utf8" });
  expect(shown.stdout).toBe("\u001b[2mname\u001b[0m \\x1b]0;title\\x07\r\n");
  expect(spawnSync(process.execPath, [file], { encoding: "utf8" }).stdout).toContain("\u001b]0;title\u0007");
});

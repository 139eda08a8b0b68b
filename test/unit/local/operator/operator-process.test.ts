import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import { startOperator } from "../../../../src/local/operator/operator-process.ts";
import { onWindows } from "../../../on-windows.ts";
import { patience } from "../../../patience.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const folder = temporaryFolder();

let programs = 0;
const lines: string[] = [];

/** Starts a program, and collects its lines. */
async function start(code: string, args: readonly string[] = []) {
  const file = join(folder, `program-${++programs}.mjs`);
  writeFileSync(file, code);
  const lines: string[] = [];
  const onLine = (stream: string, line: string) => void lines.push(`${stream}: ${line}`);
  const operator = await startOperator({ file, cwd: folder, args, env: { ...process.env, GREETING: "hello" }, onLine });
  return { operator, lines };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it("passes on lines, arguments and environment, and a last line without a newline", async () => {
  const code =
    "console.log(process.env.GREETING, process.argv[2]); console.error('oops'); process.stdout.write('last')";
  const { operator, lines } = await start(code, ["--flag"]);
  expect(await operator.ended).toEqual({ code: 0 });
  expect(lines.toSorted()).toEqual(["stderr: oops", "stdout: hello --flag", "stdout: last"]);
});

it("opens a pipe for reports only if they are read", async () => {
  const file = join(folder, "reporter.mjs");
  const code = `import { writeSync } from "node:fs";
const { TSOP_REPORT_FD: descriptor } = process.env;
if (descriptor) writeSync(parseInt(descriptor), "told\\n");
console.log(descriptor ?? "none");`;
  writeFileSync(file, code);
  for (const [onReport, expected] of [
    [undefined, ["none"]],
    [(line: string) => void lines.push(line), ["told", `4@${process.pid}`]],
  ] as const) {
    lines.length = 0;
    const onLine = (_stream: string, line: string) => void lines.push(line);
    const operator = await startOperator({ file, cwd: folder, args: [], env: process.env, onReport, onLine });
    await operator.ended;
    expect(lines.toSorted()).toEqual(expected.toSorted());
  }
});

it("reports the exit code of a crash", async () => {
  const { operator, lines } = await start("throw new Error('crashed')");
  expect(await operator.ended).toEqual({ code: 1 });
  expect(lines.join("\n")).toContain("Error: crashed");
});

it("waits for the operator to end by itself", async () => {
  const code =
    "setInterval(() => {}, 1000); process.on('SIGTERM', () => { console.log('bye'); process.exit(0) }); console.log('up')";
  const { operator, lines } = await start(code);
  await vi.waitUntil(() => lines.includes("stdout: up"), patience);
  await operator.stop(5_000);
  expect(await operator.ended).toEqual({ code: 0 });
  expect(lines).toContain("stdout: bye");
});

it("asks an operator to end without a signal on Windows, which would not wait for it", async () => {
  const code =
    "setInterval(() => {}, 1000); process.on('SIGTERM', (name, number) => { console.log(name, number); process.exit(0) }); console.log('up')";
  const { operator, lines } = await start(code);
  await vi.waitUntil(() => lines.includes("stdout: up"), patience);
  await onWindows(() => operator.stop(5_000));
  expect(await operator.ended).toEqual({ code: 0 });
  expect(lines).toContain("stdout: SIGTERM undefined");
});

it("kills an operator that does not end", async () => {
  const code = "setInterval(() => {}, 1000); process.on('SIGTERM', () => {}); console.log('up')";
  const { operator, lines } = await start(code);
  await vi.waitUntil(() => lines.includes("stdout: up"), patience);
  await operator.stop(50);
  expect(await operator.ended).toEqual({ signal: "SIGKILL" });
});

it("leaves no process if the tool is killed", async () => {
  const program = join(folder, "stubborn.mjs");
  writeFileSync(program, "setInterval(() => {}, 1000); process.on('SIGTERM', () => {}); console.log('up')");
  const { build } = await import("esbuild");
  const source = fileURLToPath(new URL("../../../../src/local/operator/operator-process.ts", import.meta.url));
  const bundle = join(folder, "operator-process.mjs");
  await build({ entryPoints: [source], outfile: bundle, bundle: true, platform: "node", format: "esm" });
  const tool = join(folder, "tool.mjs");
  writeFileSync(
    tool,
    `import { startOperator } from ${JSON.stringify(bundle)};
    const onLine = () => console.log(operator.pid);
    const operator = await startOperator({ file: ${JSON.stringify(program)}, cwd: ".", args: [], env: process.env, onLine });`,
  );
  const parent = spawn(process.execPath, [tool], { stdio: ["ignore", "pipe", "inherit"] });
  const pid = await new Promise<number>((resolve) => parent.stdout.once("data", (data) => resolve(Number(data))));
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await vi.waitUntil(() => !isAlive(pid), patience);
});

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { OperatorProcess } from "../../../../src/local/operator/operator-process.ts";
import { OperatorStarter } from "../../../../src/local/operator/operator-starter.ts";
import { isAlive } from "../../../../src/files/is-alive.ts";
import { patience } from "../../../patience.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

let folder: string;
let starter: OperatorStarter;
let lines: string[];
const operators: OperatorProcess[] = [];

beforeEach(() => {
  folder = temporaryFolder();
  // The preloaded file reports which processes are ready.
  appendFileSync(join(folder, "ready"), "");
  writeFileSync(
    join(folder, "preload.mjs"),
    `import { appendFileSync } from "node:fs";
     appendFileSync(${JSON.stringify(join(folder, "ready"))}, process.pid + "\\n");`,
  );
  starter = new OperatorStarter(0);
  lines = [];
});
afterEach(async () => {
  await starter.stop();
  await Promise.all(operators.splice(0).map((operator) => operator.stop(0)));
});

const ready = (): number[] => readFileSync(join(folder, "ready"), "utf8").split("\n").filter(Boolean).map(Number);

async function start(text: string, args: readonly string[] = []): Promise<OperatorProcess> {
  const file = join(folder, "main.mjs");
  writeFileSync(file, `console.log(${JSON.stringify(text)}, ...process.argv.slice(2)); setInterval(() => {}, 1000);`);
  const preload = pathToFileURL(join(folder, "preload.mjs")).href;
  const onLine = (_: string, line: string): void => void lines.push(line);
  const operator = await starter.start({ file, cwd: folder, args, env: process.env, preload, onLine });
  operators.push(operator);
  return operator;
}

/** Starts an operator, and returns the process that then waits to be the next one. */
async function startFirst(): Promise<number> {
  const { pid } = await start("first");
  await vi.waitUntil(() => ready().length === 2 && lines.includes("first"), patience);
  return ready().find((each) => each !== pid)!;
}

it("loads the code when the operator starts, not when its process does", async () => {
  const waiting = await startFirst();
  const { pid } = await start("second");
  await vi.waitUntil(() => lines.includes("second"), patience);
  expect(pid).toBe(waiting);
  expect(lines).toEqual(["first", "second"]);
});

it("starts another process for other arguments, and stops the waiting one", async () => {
  const waiting = await startFirst();
  const { pid } = await start("second", ["--flag"]);
  await vi.waitUntil(() => lines.includes("second --flag"), patience);
  expect(pid).not.toBe(waiting);
  expect(isAlive(waiting)).toBe(false);
});

it("starts another process if the waiting one was killed", async () => {
  const waiting = await startFirst();
  process.kill(waiting, "SIGKILL");
  await vi.waitUntil(() => !isAlive(waiting), patience);
  await start("second");
  await vi.waitUntil(() => lines.includes("second"), patience);
});

it("leaves no waiting process when it stops", async () => {
  const waiting = await startFirst();
  await starter.stop();
  expect(isAlive(waiting)).toBe(false);
  expect(isAlive(operators[0]!.pid)).toBe(true);
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manualClock } from "../../../../../src/testing/manual-clock.ts";
import { expect, it, vi } from "vitest";
import { systemClock } from "../../../../../src/apimachinery/clock.ts";
import {
  ContainerCommands,
  type PodVariables,
} from "../../../../../src/sandbox/simulation/context/container-commands.ts";
import { ContainerLogs } from "../../../../../src/sandbox/simulation/context/container-logs.ts";
import type { Container, Pod } from "../../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { patience } from "../../../../patience.ts";

const stop = new AbortController();
const logs = new ContainerLogs();
const commands = new ContainerCommands({ logs, clock: systemClock(), signal: stop.signal });

const node = process.execPath;
let pods = 0;
const pod = (container: Partial<Container>, restartPolicy: Pod["spec"]["restartPolicy"] & string = "Never"): Pod => ({
  metadata: { name: `p${++pods}`, namespace: "default", uid: `u${pods}` },
  spec: { restartPolicy, containers: [{ name: "main", ...container }] },
});

const none: PodVariables = new Map();

async function finish(subject: Pod, variables = none): Promise<{ code: unknown; lines: string[] }> {
  await new Promise<void>((resolve) => commands.start(subject, variables, resolve));
  return { code: commands.states(subject)?.get("main")?.exitCode, lines: await linesOf(subject) };
}

async function linesOf(subject: Pod): Promise<string[]> {
  const lines: string[] = [];
  const { signal } = new AbortController();
  const reader = {
    follow: false,
    previous: false,
    timestamps: false,
    tailLines: undefined,
    since: undefined,
    limitBytes: undefined,
    signal,
  };
  for await (const line of logs.read({
    ...reader,
    namespace: "default",
    name: subject.metadata.name!,
    container: "main",
  }))
    lines.push(line);
  return lines;
}

it.each<[string, Partial<Container>, { code: number; lines: unknown[] }]>([
  ["its output", { command: [node, "-e"], args: ["console.log('hello')"] }, { code: 0, lines: ["hello\n"] }],
  ["its exit code", { command: [node, "-e", "process.exit(3)"] }, { code: 3, lines: [] }],
  [
    "its variables, in the arguments too",
    { command: [node, "-p", "process.env.GREETING + ' $(GREETING) $(OTHER) $$(GREETING)'"] },
    { code: 0, lines: ["hi hi $(OTHER) $(GREETING)\n"] },
  ],
  [
    "that there is no such program",
    { command: ["no-such-program"] },
    { code: 127, lines: [expect.stringContaining("ENOENT")] },
  ],
])("shows %s", async (_, container, expected) => {
  expect(await finish(pod(container), new Map([["main", { GREETING: "hi" }]]))).toEqual(expected);
});

it.each<[string, Partial<Container>, "Never" | "Always", boolean]>([
  ["a program of a pod that runs to completion", { command: [node, "-v"] }, "Never", true],
  ["a program of a pod that stays", { command: [node, "-v"] }, "Always", true],
  ["a program of the PATH", { command: ["sh", "-c", "exit"] }, "Always", true],
  ["no program that this machine lacks, if the pod stays", { command: ["no-such-program"] }, "Always", false],
  ["no folder", { command: ["/"] }, "Always", false],
  ["nothing for a container without a command", { image: "a" }, "Never", false],
])("runs %s", async (_title, container, restartPolicy, expected) => {
  const subject = pod(container, restartPolicy);
  expect(commands.start(subject, none, () => undefined)).toHaveLength(expected ? 1 : 0);
  expect(commands.states(subject) !== undefined).toBe(expected);
  await commands.stop(subject);
});

it("starts a program of a pod that stays again, after longer and longer times", async () => {
  const clock = manualClock();
  const restarting = new ContainerCommands({ logs, clock, signal: stop.signal });
  const subject = pod({ command: [node, "-e", "console.log('run'); process.exit(4)"] }, "Always");
  restarting.start(subject, none, () => undefined);
  const state = () => restarting.states(subject)!.get("main")!;
  const ended = () => vi.waitUntil(() => state().exitCode !== undefined, patience);
  for (const [index, seconds] of [undefined, 10, 20, 40].entries()) {
    await ended();
    expect(state()).toMatchObject({ exitCode: 4, restarts: index, backOff: seconds });
    await clock.advance((seconds ?? 1) * 1000 - 1);
    expect(state().restarts).toBe(index);
    await clock.advance(1);
    // The program may have ended again by now.
    expect(state().restarts).toBe(index + 1);
  }
  await ended();
  await clock.advance(80_000);
  // As if the program had run for ten minutes.
  const advanced = clock.advance(600_000);
  await ended();
  await advanced;
  expect(state()).toMatchObject({ restarts: 5, backOff: undefined });
  await restarting.stop(subject);
  await clock.advance(600_000);
  expect(restarting.states(subject)).toBeUndefined();
});

it("starts a program of a pod that ends again until it succeeds", async () => {
  const clock = manualClock();
  const restarting = new ContainerCommands({ logs, clock, signal: stop.signal });
  const folder = await mkdtemp(join(tmpdir(), "tsop-commands-"));
  const script = `const { existsSync, writeFileSync } = require("node:fs"); const file = process.argv[1];
    if (!existsSync(file)) { writeFileSync(file, ""); process.exit(4); }`;
  const subject = pod({ command: [node, "-e", script, join(folder, "tried")] }, "OnFailure");
  restarting.start(subject, none, () => undefined);
  const state = () => restarting.states(subject)!.get("main")!;
  await vi.waitUntil(() => state().exitCode === 4, patience);
  await clock.advance(1_000);
  await vi.waitUntil(() => state().exitCode === 0, patience);
  await clock.advance(600_000);
  expect(state()).toMatchObject({ exitCode: 0, restarts: 1 });
  await rm(folder, { recursive: true });
});

it.each([
  ["a deleted pod", "sleep 1000 & echo $!; wait"],
  ["a container whose first program has ended", "sleep 1000 & echo $!"],
])("ends the programs that the command of %s has started", async (_, script) => {
  const shell = pod({ command: ["sh", "-c", script] });
  const ended = vi.fn();
  commands.start(shell, none, ended);
  const pid = await vi.waitUntil(async () => Number((await linesOf(shell))[0]), patience);
  if (script.endsWith("wait")) await commands.stop(shell);
  else await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), patience);
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), patience);
});

it("stops the commands of a deleted pod", async () => {
  const stubborn = pod({ command: [node, "-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"] });
  commands.start(stubborn, none, () => undefined);
  expect(commands.states(stubborn)?.get("main")).toMatchObject({ exitCode: undefined });
  await commands.stop(stubborn);
  expect(commands.states(stubborn)).toBeUndefined();
});

it("starts no command again after the sandbox has ended", async () => {
  const [ended, clock] = [new AbortController(), manualClock()];
  const own = new ContainerCommands({ logs, clock, signal: ended.signal });
  const serving = pod({ command: ["sh", "-c", "echo $$; sleep 1000"] }, "Always");
  own.start(serving, none, () => {});
  const pid = await vi.waitUntil(async () => Number((await linesOf(serving))[0]), patience);
  ended.abort();
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), patience);
  // The end of a process is told after the process has gone: a second process ends after it.
  await finish(pod({ command: ["true"] }));
  await clock.advance(10_000);
  expect(await linesOf(serving)).toEqual([`${pid}\n`]);
  expect(clock.pending).toBe(0);
});

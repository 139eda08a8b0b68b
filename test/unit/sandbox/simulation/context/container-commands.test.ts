import { expect, it, vi } from "vitest";
import { systemClock } from "../../../../../src/apimachinery/clock.ts";
import { ContainerCommands } from "../../../../../src/sandbox/simulation/context/container-commands.ts";
import { ContainerLogs } from "../../../../../src/sandbox/simulation/context/container-logs.ts";
import type { Container, Pod } from "../../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { patience } from "../../../../patience.ts";

const stop = new AbortController();
const logs = new ContainerLogs();
const commands = new ContainerCommands({ logs, clock: systemClock(), signal: stop.signal });

const node = process.execPath;
let pods = 0;
const pod = (container: Partial<Container>, restartPolicy: "Never" | "Always" = "Never"): Pod => ({
  metadata: { name: `p${++pods}`, namespace: "default", uid: `u${pods}` },
  spec: { restartPolicy, containers: [{ name: "main", ...container }] },
});

async function finish(subject: Pod): Promise<{ code: unknown; lines: string[] }> {
  await new Promise<void>((resolve) => commands.start(subject, resolve));
  return { code: commands.outcome(subject)?.exitCode, lines: await linesOf(subject) };
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
    {
      command: [node, "-p", "process.env.GREETING + ' $(GREETING) $(OTHER)'"],
      env: [{ name: "GREETING", value: "hi" }],
    },
    { code: 0, lines: ["hi hi $(OTHER)\n"] },
  ],
  [
    "that there is no such program",
    { command: ["no-such-program"] },
    { code: 127, lines: [expect.stringContaining("ENOENT")] },
  ],
])("shows %s", async (_, container, expected) => {
  expect(await finish(pod(container))).toEqual(expected);
});

it("concerns pods that run to an end and name a command", () => {
  expect(commands.concerns(pod({ command: ["a"] }))).toBe(true);
  expect(commands.concerns(pod({ command: ["a"] }, "Always"))).toBe(false);
  expect(commands.concerns(pod({ image: "a" }))).toBe(false);
});

it.each([
  ["a deleted pod", "sleep 1000 & echo $!; wait"],
  ["a container whose first program has ended", "sleep 1000 & echo $!"],
])("ends the programs that the command of %s has started", async (_, script) => {
  const shell = pod({ command: ["sh", "-c", script] });
  const ended = vi.fn();
  commands.start(shell, ended);
  const pid = await vi.waitUntil(async () => Number((await linesOf(shell))[0]), patience);
  if (script.endsWith("wait")) await commands.stop(shell);
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), patience);
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), patience);
});

it("stops the commands of a deleted pod", async () => {
  const stubborn = pod({ command: [node, "-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"] });
  const ended = vi.fn();
  commands.start(stubborn, ended);
  expect(commands.outcome(stubborn)?.exitCode).toBe("running");
  await commands.stop(stubborn);
  expect(ended).toHaveBeenCalledOnce();
  expect(commands.outcome(stubborn)).toBeUndefined();
});

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { failure } from "../../../apimachinery/status.ts";
import type {
  CommandOptions,
  ContainerTarget,
  PodConnections,
  CommandEnd,
  CommandStreams,
} from "../../../apiserver/streaming/remote-command.ts";
import type { Client } from "../../../client/client.ts";
import type { ContainerLogs } from "./container-logs.ts";
import { containerEnvironment } from "./container-environment.ts";
import { hasProgram, signalGroup, spawnInContainer } from "./container-process.ts";
import { dataReader } from "./data-reader.ts";
import { PodKind } from "./simulated-kinds.ts";
import { execFile, type ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

/**
 * Connects clients with containers whose commands run on this machine. A command of `exec` runs in the environment of
 * the container, at a terminal if the client wants one, and a port of a pod is a port of loopback.
 */
export class ContainerConnections implements PodConnections {
  private readonly client: () => Client;
  private readonly logs: ContainerLogs;

  constructor(client: () => Client, logs: ContainerLogs) {
    this.client = client;
    this.logs = logs;
  }

  async exec(
    { namespace, pod, container, command, tty }: ContainerTarget & CommandOptions,
    { stdin, stdout, stderr, sizes, signal }: CommandStreams,
  ): Promise<CommandEnd> {
    const client = this.client();
    const found = await client.get(PodKind, { namespace, name: pod });
    const { initContainers = [], containers } = found.spec;
    const beside = [...initContainers, ...containers].find(({ name }) => name === container) ?? {};
    const { variables } = await containerEnvironment(found, beside, dataReader(client, namespace));
    const isKnown = hasProgram(command[0] ?? "");
    const terminal = tty && isKnown ? await spawnAtTerminal(variables, command, sizes) : undefined;
    const child = terminal ?? spawnInContainer(variables, command, ["pipe", "pipe", "pipe"]);
    if (!terminal) sizes?.resume();
    const kill = (): void => signalGroup(child, "SIGKILL");
    signal.addEventListener("abort", kill, { once: true });
    if (signal.aborted) kill();
    // A program may end before it has read all. The rest is dropped: behind it is the end of the client.
    child.stdin!.on("error", () => stdin?.resume());
    if (stdin) stdin.pipe(child.stdin!);
    else child.stdin!.end();
    const forward = async (source: AsyncIterable<Buffer>, target: NodeJS.WritableStream | undefined): Promise<void> => {
      for await (const chunk of source) if (target && !target.write(chunk)) await once(target, "drain", { signal });
    };
    const ended = new Promise<number>((resolve, reject) => {
      child.once("error", reject).once("exit", (exitCode) => resolve(exitCode ?? 137));
    });
    try {
      // A terminal has one output.
      const output = [forward(child.stdout!, stdout), forward(child.stderr!, tty ? stdout : stderr)];
      const [code] = await Promise.all([ended, ...output]);
      return code === 0 ? success : exited(code);
    } catch (error) {
      return notStarted(command[0] ?? "", error as NodeJS.ErrnoException);
    } finally {
      signal.removeEventListener("abort", kill);
    }
  }

  /** Shows the output of the container from now on. Its process has no input. */
  async attach(
    { namespace, pod, container }: ContainerTarget,
    { stdin, stdout, sizes, signal }: CommandStreams,
  ): Promise<CommandEnd> {
    stdin?.resume();
    sizes?.resume();
    const request = { namespace, name: pod, container, follow: true, previous: false, timestamps: false, tailLines: 0 };
    const lines = this.logs.read({ ...request, since: undefined, limitBytes: undefined, signal });
    for await (const line of lines) stdout?.write(line);
    return success;
  }

  async connect(_pod: Pick<ContainerTarget, "namespace" | "pod">, port: number): Promise<Socket> {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    await once(socket, "connect");
    return socket;
  }
}

const success: CommandEnd = { status: "Success" };

function exited(code: number): CommandEnd {
  return {
    status: "Failure",
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(code) }] },
  };
}

function notStarted(program: string, { code, message }: NodeJS.ErrnoException): CommandEnd {
  const why = code === "ENOENT" ? "executable file not found in $PATH" : message;
  const text = `error executing command in container: exec: ${JSON.stringify(program)}: ${why}`;
  return failure("InternalError", `Internal error occurred: ${text}`, { causes: [{ message: text }] });
}

const execute = promisify(execFile);

/** kubectl sends the size of its window at once; a client without a window sends none. */
const firstSizeMs = 200;

/**
 * Starts a command at a terminal of the client's first size. Node can't open one: `script` of util-linux does, and its input and output are pipes.
 * Returns undefined where that program is absent, as on macOS, whose `script` is another one.
 */
async function spawnAtTerminal(
  variables: Readonly<Record<string, string>>,
  command: readonly string[],
  sizes: Readable | undefined,
): Promise<ChildProcess | undefined> {
  if (!(await hasScript())) return undefined;
  const first = sizes && (await Promise.race([once(sizes, "data"), wait(firstSizeMs, undefined)]));
  const [, width = "0", height = "0"] = /^\{"Width":(\d+),"Height":(\d+)\}/.exec(String(first?.[0])) ?? [];
  sizes?.resume();
  const words = ["sh", "-c", atTerminal, "sh", height, width, ...command].map(quote);
  const all = { TERM: "xterm", ...variables, SHELL: "/bin/sh" };
  const args = ["-qfe", "--echo", "always", "--command", `exec ${words.join(" ")}`, "/dev/null"];
  return spawnInContainer(all, ["script", ...args], ["pipe", "pipe", "pipe"]);
}

async function hasScript(): Promise<boolean> {
  const { stdout } = await execute("script", ["--version"]).catch(() => ({ stdout: "" }));
  return stdout.includes("util-linux");
}

/** Sets the size of the terminal, and becomes the command. */
const atTerminal = '[ "$1" = 0 ] || stty rows "$1" cols "$2"; shift 2; exec "$@"';

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

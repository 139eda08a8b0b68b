import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { isAlive } from "../../files/is-alive.ts";

export interface OperatorOptions {
  readonly file: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Port of the inspector on loopback. */
  readonly inspect?: number;
  /** A module that is loaded while the process waits. */
  readonly preload?: string | undefined;
  /** Receives the operator's messages about its work; without it, the operator sends none. */
  readonly onReport?: ((line: string) => void) | undefined;
  readonly onLine: (stream: "stdout" | "stderr", line: string) => void;
}

/** The descriptor of the pipe for reports, after stdin, stdout, stderr and Node's own channel. */
const reportDescriptor = 4;

/** The exit of a program. */
export type OperatorEnd = { readonly code: number } | { readonly signal: string };

/** A process that has not loaded the operator's code yet. */
export interface WaitingOperator {
  /** Starts the operator. Returns false if the process has ended. */
  readonly isAlive: boolean;
  begin(): OperatorProcess;
  stop(): Promise<void>;
}

/** The running operator of a project. */
export interface OperatorProcess {
  readonly pid: number;
  /** Settles when it has ended and its last line was passed on. */
  readonly ended: Promise<OperatorEnd>;
  /** Asks it to end, and kills it after the grace period. Settles when it has ended. */
  stop(graceMs: number): Promise<void>;
}

/** Starts the operator. */
export async function startOperator(options: OperatorOptions): Promise<OperatorProcess> {
  return (await spawnOperator(options)).begin();
}

/**
 * Starts a process that waits for the command to load the operator, as Node and the preloaded module are most of a
 * start. It is a process group of its own, so that Ctrl-C on the terminal reaches it once, through `stop`. It exits
 * when its pipe closes, so that it does not survive this process.
 */
export async function spawnOperator(options: OperatorOptions): Promise<WaitingOperator> {
  const inspector = options.inspect === undefined ? [] : [`--inspect=127.0.0.1:${options.inspect}`];
  const nodeFlags = ["--enable-source-maps", "--import", lifeline(options.preload), ...inspector];
  const { onReport, onLine } = options;
  const child = spawn(process.execPath, [...nodeFlags, options.file, ...options.args], {
    cwd: options.cwd,
    env: { ...options.env, ...(onReport && { TSOP_REPORT_FD: `${reportDescriptor}@${process.pid}` }) },
    stdio: ["ignore", "pipe", "pipe", "ipc", ...(onReport ? ["pipe" as const] : [])],
    detached: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve).once("error", reject);
  });
  const lines = [
    readLines(child.stdout, (line) => onLine("stdout", line)),
    readLines(child.stderr, (line) => onLine("stderr", line)),
  ];
  if (onReport) lines.push(readLines(child.stdio[reportDescriptor] as Readable, onReport));
  const exited = new Promise<OperatorEnd>((resolve) => {
    child.once("exit", (code, signal) => resolve(code === null ? { signal: signal ?? "" } : { code }));
  });
  const ended = exited.then(async (end) => {
    await Promise.all(lines);
    return end;
  });
  return {
    get isAlive() {
      return child.connected && isAlive(child.pid ?? 0); // killed this moment, it may still seem connected
    },
    begin() {
      // A process that has ended already reports its exit.
      child.send("begin", () => {});
      return { pid: child.pid ?? 0, ended, stop: (graceMs) => stop(child, ended, graceMs) };
    },
    stop: () => stop(child, ended, 0),
  };
}

/**
 * Runs in the operator's process before its own code. It must not keep a finished operator alive, nor let a stuck one
 * outlive the tool: the exit in here ends the operator's process, not the tool's.
 */
function lifeline(preload: string | undefined): string {
  const code = `
const stop = () => process.emit("SIGTERM", "SIGTERM") || process.kill(process.pid, "SIGTERM");
process.once("disconnect", () => {
  setTimeout(() => process.exit(1), 2000).unref();
  stop();
});
const told = new Promise((resolve) => process.on("message", (word) => (word === "stop" ? stop() : resolve())));
${preload ? `await import(${JSON.stringify(preload)}).catch(() => {}); // the operator's own import reports its errors` : ""}
await told;
process.channel?.unref();
`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

async function readLines(input: Readable | null, onLine: (line: string) => void): Promise<void> {
  if (!input) return;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) onLine(line);
}

async function stop(child: ChildProcess, ended: Promise<unknown>, graceMs: number): Promise<void> {
  // On Windows, no signal can be handled: kill() ends the process at once.
  if (process.platform === "win32" && child.connected) child.send("stop", () => {});
  else child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  await ended;
  clearTimeout(timer);
}

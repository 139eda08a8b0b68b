import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

export interface OperatorOptions {
  readonly file: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The port of the inspector; it listens on loopback. */
  readonly inspect?: number;
  readonly onLine: (stream: "stdout" | "stderr", line: string) => void;
}

/** How a program ended. */
export type OperatorEnd = { readonly code: number } | { readonly signal: string };

/** The running operator of a project. */
export interface OperatorProcess {
  readonly pid: number;
  /** Settles when it has ended and its last line was handed on. */
  readonly ended: Promise<OperatorEnd>;
  /** Asks it to end, and makes it after the grace period. Settles when it has. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Starts the operator as its own process group, so that a Ctrl-C on the terminal reaches it once, through `stop`, and
 * with a pipe whose end it notices, so that it goes when this process is killed.
 */
export async function startOperator(options: OperatorOptions): Promise<OperatorProcess> {
  const inspector = options.inspect === undefined ? [] : [`--inspect=127.0.0.1:${options.inspect}`];
  const nodeFlags = ["--enable-source-maps", "--import", lifeline, ...inspector];
  const child = spawn(process.execPath, [...nodeFlags, options.file, ...options.args], {
    cwd: options.cwd,
    env: options.env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve).once("error", reject);
  });
  const lines = [readLines(child, "stdout", options.onLine), readLines(child, "stderr", options.onLine)];
  const exited = new Promise<OperatorEnd>((resolve) => {
    child.once("exit", (code, signal) => resolve(code === null ? { signal: signal ?? "" } : { code }));
  });
  const ended = exited.then(async (end) => {
    await Promise.all(lines);
    return end;
  });
  return { pid: child.pid ?? 0, ended, stop: (graceMs) => stop(child, ended, graceMs) };
}

/** Runs in the operator before its own code. It must not keep a finished operator alive, nor outlive a stuck one. */
const lifeline = `data:text/javascript,${encodeURIComponent(`
process.once("disconnect", () => {
  setTimeout(() => process.exit(1), 2000).unref();
  process.kill(process.pid, "SIGTERM");
});
process.channel?.unref();
`)}`;

async function readLines(
  child: ChildProcess,
  stream: "stdout" | "stderr",
  onLine: OperatorOptions["onLine"],
): Promise<void> {
  const input = child[stream];
  if (!input) return;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) onLine(stream, line);
}

async function stop(child: ChildProcess, ended: Promise<unknown>, graceMs: number): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  await ended;
  clearTimeout(timer);
}

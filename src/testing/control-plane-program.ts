import { spawn, type ChildProcess } from "node:child_process";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { basename } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { TsopError } from "../errors/tsop-error.ts";

/** A running program of a control plane. */
export interface Program {
  untilHealthy(url: string, timeoutMs: number, token?: string): Promise<void>;
  /** Stops it, and kills it after the timeout. */
  stop(timeoutMs: number): Promise<void>;
}

/** Starts a program; `show`, an option of the TestEnvironment, copies its output to stderr for debugging. */
export function runProgram(path: string, args: readonly string[], show: boolean): Program {
  const name = basename(path);
  const child = spawn(path, args, { stdio: ["ignore", "pipe", "pipe"] });
  let failure: Error | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      failure = error;
      resolve();
    });
    child.once("close", () => resolve());
  });
  const tail = keepTail(child, show);
  endWithProcess(child);
  const failed = (reason: string) => new TsopError("TSOP_CONTROL_PLANE_FAILED", { program: name, reason });
  const isOver = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  return {
    async untilHealthy(url, timeoutMs, token) {
      const deadline = Date.now() + timeoutMs;
      while (!(await isHealthy(url, token))) {
        if (isOver()) {
          await ended;
          throw failed(failure?.message ?? (tail() || "it ended without a word"));
        }
        if (Date.now() > deadline) throw failed(`not healthy after ${timeoutMs} ms`);
        await wait(50);
      }
    },
    async stop(timeoutMs) {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
      await ended;
      clearTimeout(timer);
      outlive(child);
    },
  };
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const bound = new Set<ChildProcess>();

/** Kills a program when this process ends: a test that ends without stop() must not leave servers behind. */
function endWithProcess(child: ChildProcess): void {
  bound.add(child);
  if (bound.size > 1) return;
  process.once("exit", killBound);
  for (const signal of signals) process.on(signal, endBySignal);
}

function outlive(child: ChildProcess): void {
  if (!bound.delete(child) || bound.size > 0) return;
  process.off("exit", killBound);
  for (const signal of signals) process.off(signal, endBySignal);
}

function killBound(): void {
  for (const child of bound) child.kill("SIGKILL");
}

/** Ends this process as the signal does without a listener; another listener ends it in its own way. */
function endBySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killBound();
  process.off(signal, endBySignal);
  process.kill(process.pid, signal);
}

/** Returns the last lines of a program's output, for an error message. */
function keepTail(child: ChildProcess, show: boolean): () => string {
  let lines: string[] = [];
  const take = (chunk: Buffer) => {
    // The user of the library asked for it; no command of the tool does.
    if (show) process.stderr.write(chunk);
    lines = [...lines, ...chunk.toString("utf8").split("\n")].filter((line) => line !== "").slice(-5);
  };
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  return () => lines.join("\n");
}

function isHealthy(url: string, token?: string): Promise<boolean> {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  return new Promise((resolve) => {
    const done = (response: IncomingMessage) => {
      response.resume();
      resolve(response.statusCode === 200);
    };
    const request = url.startsWith("https:")
      ? httpsRequest(url, { headers, rejectUnauthorized: false, agent: false }, done)
      : httpRequest(url, { headers, agent: false }, done);
    request
      .setTimeout(2_000, () => request.destroy())
      .once("error", () => resolve(false))
      .end();
  });
}

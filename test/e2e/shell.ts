import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Writable } from "node:stream";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository: string = fileURLToPath(new URL("../..", import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** True to make it the leader of a process group that gets its signals, as from Ctrl-C in a terminal. */
  readonly group?: true;
}

/** Runs a program to its end, and ignores its exit code. */
export function run(program: string, args: readonly string[], options: RunOptions): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: options.cwd, env: environment(options.env), stdio: "pipe" });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    // A program may end without reading its input; its exit code and output show why.
    child.stdin.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") reject(error);
    });
    child.stdin.end(options.input ?? "");
  });
}

/** Runs a program that must succeed; the error of a failure holds its whole output. */
export async function mustRun(program: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

/** Runs a program whose process group gets a SIGTERM if this process is killed, which closes the file 3. */
const guard = 'read -rN1 <&3 || kill -TERM -- -$$ & exec "$@" 3<&-';

/** A program that runs until it is stopped. */
export class LongRunning {
  readonly child: ChildProcess;
  readonly #group: boolean;
  readonly ended: Promise<number | string | null>;
  output = "";

  constructor(program: string, args: readonly string[], options: RunOptions) {
    this.#group = options.group ?? false;
    const { cwd } = options;
    const env = environment(options.env);
    if (options.group) {
      const stdio = ["pipe", "pipe", "pipe", "pipe"] as const;
      this.child = spawn("bash", ["-c", guard, "bash", program, ...args], {
        cwd,
        env,
        stdio: [...stdio],
        detached: true,
      });
      const end = this.child.stdio[3] as Writable;
      end.on("error", () => {}); // the signal of stop() may have ended the guard first
      this.child.on("exit", () => end.end("."));
    } else {
      this.child = spawn(program, args, { cwd, env, stdio: "pipe" });
    }
    this.child.stdout?.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
    this.child.stderr?.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((resolve) => this.child.on("close", (code, signal) => resolve(code ?? signal)));
  }

  /** Waits until the output matches; fails immediately if the program ends before that. */
  async prints(pattern: RegExp, timeout = 120_000): Promise<RegExpExecArray> {
    let ended = false;
    void this.ended.then(() => (ended = true));
    return until(
      `the output has ${pattern}:\n${this.output}`,
      () => {
        const match = pattern.exec(this.output);
        if (!match && ended) throw new Error(`ended before it printed ${pattern}:\n${this.output}`);
        return match ?? undefined;
      },
      timeout,
    );
  }

  /** Sends a signal and waits for the end. */
  async stop(signal: NodeJS.Signals = "SIGINT"): Promise<number | string | null> {
    if (this.#group && this.child.exitCode === null) process.kill(-this.child.pid!, signal);
    else this.child.kill(signal);
    return this.ended;
  }
}

/** Polls until the result is defined, or the deadline has passed. */
export async function until<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  timeout = 120_000,
): Promise<T> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`gave up after ${timeout} ms waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** Returns the path of a program: `TSOP_<NAME>`, or it is in the folder of the real control plane or on the PATH. */
export function findProgram(name: string): string | undefined {
  const named = process.env[`TSOP_${name.toUpperCase()}`];
  if (named !== undefined) return named;
  const folders = [process.env["KUBEBUILDER_ASSETS"], ...(process.env["PATH"] ?? "").split(delimiter)];
  return folders.flatMap((folder) => (folder ? [join(folder, name)] : [])).find((path) => existsSync(path));
}

/** Links the packages of this checkout, and tsop itself, into a project, in place of an installation. */
export function linkPackages(project: string): void {
  const source = join(repository, "node_modules");
  const target = join(project, "node_modules");
  mkdirSync(join(target, ".bin"), { recursive: true });
  const names = readdirSync(source).filter((name) => name !== ".bin");
  const programs = readdirSync(join(source, ".bin")).map((name) => join(".bin", name));
  for (const name of [...names, ...programs]) symlinkSync(join(source, name), join(target, name));
  symlinkSync(repository, join(target, "tsop"));
  symlinkSync(join(repository, "bin/tsop.js"), join(target, ".bin/tsop"));
}

/** Creates a temporary folder outside of the checkout; it is kept, and its path is printed, if the test fails. */
export function temporaryFolder(name: string): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `tsop-e2e-${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/**
 * Returns an environment without colours, the developer's cluster and the mark of CI, none of which a newcomer has, and
 * without the real API server, which a test asks for by name.
 */
function environment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { KUBECONFIG: _, FORCE_COLOR: __, KUBEBUILDER_ASSETS: ___, CI: ____, ...env } = process.env;
  return { ...env, NO_COLOR: "1", HOME: process.env["HOME"] ?? tmpdir(), ...extra };
}

import type { Disk } from "../files/disk.ts";
import { realDisk } from "../files/real-disk.ts";

/** The terminal and the process as a value. Commands reach the world through it only; tests pass their own. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nodeVersion: string;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Results. */
  readonly stdout: Output;
  /** Talk: progress, warnings, errors. */
  readonly stderr: Output;
  /** Whether a person can be asked: stdin and stderr are a terminal. */
  readonly isTTY: boolean;
  now(): Date;
  readonly disk: Disk;
  /** Runs a program to its end; a failure of the program is a result, not an error. */
  run(program: string, args: readonly string[], options?: RunOptions): Promise<RunResult>;
  readonly prompt: Prompt;
  /** Aborts on Ctrl-C and SIGTERM; the first use takes these signals over, a second Ctrl-C ends the process. */
  readonly signal: AbortSignal;
}

export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  readonly columns: number;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `show` hands the program the terminal; `collect` (the default) returns what it prints. */
  readonly output?: "show" | "collect";
  readonly signal?: AbortSignal;
}

export interface RunResult {
  /** 127 when there is no such program. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Questions to a person; only called when `isTTY`. An end of input is an error that names the flag to give instead. */
export interface Prompt {
  confirm(question: Question & { readonly initial: boolean }): Promise<boolean>;
  input(question: Question & { readonly initial?: string }): Promise<string>;
}

export interface Question {
  readonly message: string;
  /** The flag that answers the question without asking. */
  readonly flag: string;
}

/** The real terminal, process and disk. */
export function realIo(): Io {
  const isTTY = process.stdin.isTTY && process.stderr.isTTY;
  let signal: AbortSignal | undefined;
  return {
    cwd: process.cwd(),
    env: process.env,
    nodeVersion: process.versions.node,
    get stdin() {
      return process.stdin;
    },
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
    isTTY,
    now: () => new Date(),
    disk: realDisk(),
    run: async (program, args, options) => (await import("./run-program.ts")).runProgram(program, args, options),
    prompt: {
      confirm: async (question) => (await import("./terminal-prompt.ts")).confirm(question),
      input: async (question) => (await import("./terminal-prompt.ts")).input(question),
    },
    get signal() {
      return (signal ??= signalOfProcess());
    },
  };
}

function outputTo(stream: NodeJS.WriteStream): Output {
  // A reader that has seen enough (`tsop … | head`) is no failure.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  return {
    write: (text) => void stream.write(text),
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns || 100;
    },
  };
}

function signalOfProcess(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

import type { Disk } from "../files/disk.ts";

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
  /** Writes the npm tarball of a package. */
  pack(packageRoot: string, tarball: string): Promise<void>;
  readonly prompt: Prompt;
  /** Aborts on Ctrl-C, SIGTERM and when the terminal is closed; the first use takes these signals over, a second Ctrl-C ends the process. */
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

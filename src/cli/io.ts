import type { Disk } from "../files/disk.ts";

/** The terminal and the process as a value. Commands use nothing else of their environment; tests pass their own. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nodeVersion: string;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Results of a command. */
  readonly stdout: Output;
  /** Progress, warnings and errors. */
  readonly stderr: Output;
  /** True if stdin and stderr are a terminal, so that questions can be asked. */
  readonly isTTY: boolean;
  now(): Date;
  readonly disk: Disk;
  /** Runs a program until it exits. A failure of the program is a result, not an error. */
  run(program: string, args: readonly string[], options?: RunOptions): Promise<RunResult>;
  /** Writes the npm tarball of a package. */
  pack(packageRoot: string, tarball: string): Promise<void>;
  readonly prompt: Prompt;
  /**
   * Aborts on Ctrl-C, on SIGTERM and when the terminal closes. The first use installs the handlers; a second Ctrl-C
   * ends the process.
   */
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
  /** `show` gives the program the terminal; `collect` (the default) returns its output. */
  readonly output?: "show" | "collect";
  readonly signal?: AbortSignal;
}

export interface RunResult {
  /** 127 if the program does not exist. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Questions to the user; called only if `isTTY`. The end of the input is an error that names the flag to pass instead.
 */
interface Prompt {
  confirm(question: Question & { readonly initial: boolean }): Promise<boolean>;
  input(question: TextQuestion): Promise<string>;
}

export interface Question {
  readonly message: string;
  /** The flag that answers the question in advance. */
  readonly flag: string;
}

export interface TextQuestion extends Question {
  readonly initial?: string;
  /** Returns the rule that an answer breaks; the question then stays. */
  readonly check?: (answer: string) => string | undefined;
}

import type { Io, RunResult } from "../../../src/cli/io.ts";
import type { Disk } from "../../../src/files/disk.ts";
import { memoryDisk, type MemoryDisk } from "../../../src/files/memory-disk.ts";
import { realDisk } from "../../../src/files/real-disk.ts";

export interface MemoryIo extends Io {
  readonly disk: MemoryDisk;
  readonly out: () => string;
  readonly err: () => string;
  /** Programs that were run, one line each. */
  readonly ran: string[];
}

export interface MemoryIoOptions {
  readonly cwd?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  /** Answers to confirmation questions, in order; an empty list means end of input. */
  readonly answers?: boolean[];
  readonly run?: (program: string, args: readonly string[]) => Partial<RunResult>;
}

/** Creates an Io in memory. Files of the running package itself (templates) are read from the real disk. */
export function memoryIo(options: MemoryIoOptions = {}): MemoryIo {
  const [out, err, ran]: [string[], string[], string[]] = [[], [], []];
  const answers = [...(options.answers ?? [])];
  const disk = { ...memoryDisk(options.files) };
  const output = (list: string[]) => ({ write: (text: string) => void list.push(text), isTTY: false, columns: 100 });
  const rejectQuestion = async (): Promise<never> => {
    throw Object.assign(new Error("end of input"), { code: "EOF" });
  };
  return {
    cwd: options.cwd ?? "/p",
    env: {},
    nodeVersion: "20.19.0",
    stdin: (async function* () {})(),
    stdout: output(out),
    stderr: output(err),
    isTTY: options.isTTY ?? false,
    now: () => new Date("2026-01-02T03:04:05Z"),
    disk: { ...disk, ...fallThrough(disk, realDisk()) },
    async pack(packageRoot, tarball) {
      ran.push(`pack ${packageRoot} ${tarball}`);
    },
    async run(program, args) {
      ran.push([program, ...args].join(" "));
      return { exitCode: 0, stdout: "", stderr: "", ...options.run?.(program, args) };
    },
    prompt: { confirm: async () => answers.shift() ?? rejectQuestion(), input: rejectQuestion },
    signal: new AbortController().signal,
    out: () => out.join(""),
    err: () => err.join(""),
    ran,
  };
}

/** Reads paths outside of `/p` from the real disk. */
function fallThrough(memory: Disk, real: Disk): Pick<Disk, "read" | "list"> {
  const isMemory = (path: string): boolean => path === "/" || path === "/PROJECT" || /^\/p(\/|$)/.test(path);
  return {
    read: (path) => (isMemory(path) ? memory : real).read(path),
    list: (folder, options) => (isMemory(folder) ? memory : real).list(folder, options),
  };
}

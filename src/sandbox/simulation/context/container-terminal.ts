import { execFile, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { spawnInContainer } from "./container-process.ts";

const execute = promisify(execFile);

/** A size as clients send it, a line of JSON each. */
interface TerminalSize {
  readonly Width: number;
  readonly Height: number;
}

/** kubectl sends the size of its window at once; a client without a window sends none. */
const firstSizeMs = 200;

/**
 * Starts a command at a terminal. Node can't open one: `script` of util-linux does, and its input and output are pipes.
 * Returns undefined where that program is absent, as on macOS, whose `script` is another one.
 */
export async function spawnAtTerminal(
  variables: Readonly<Record<string, string>>,
  command: readonly string[],
  sizes: Readable | undefined,
): Promise<ChildProcess | undefined> {
  if (!(await hasScript())) return undefined;
  const lines = sizes && createInterface({ input: sizes, crlfDelay: Infinity })[Symbol.asyncIterator]();
  const first = lines?.next();
  const size = await Promise.race([first, wait(firstSizeMs, undefined)]);
  const { Width = 0, Height = 0 } = (size && !size.done ? parseSize(size.value) : undefined) ?? {};
  const words = ["sh", "-c", atTerminal, "sh", Height, Width, ...command].map((word) => quote(String(word)));
  const all = { TERM: "xterm", ...variables, SHELL: "/bin/sh" };
  const args = ["-qfe", "--echo", "always", "--command", `exec ${words.join(" ")}`, "/dev/null"];
  const child = spawnInContainer(all, ["script", ...args], ["pipe", "pipe", "pipe", "pipe"]);
  // A terminal that is gone, or a client, has no size.
  if (lines) void resize(child, lines, size ? undefined : first).catch(() => {});
  return child;
}

async function hasScript(): Promise<boolean> {
  const { stdout } = await execute("script", ["--version"]).catch(() => ({ stdout: "" }));
  return stdout.includes("util-linux");
}

/** Prints the name of the terminal, sets its size, and becomes the command. */
const atTerminal = 'tty >&3; exec 3>&-; [ "$1" = 0 ] || stty rows "$1" cols "$2"; shift 2; exec "$@"';

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Gives the terminal each size that comes. */
async function resize(
  child: ChildProcess,
  lines: AsyncIterator<string>,
  pending: Promise<IteratorResult<string>> | undefined,
): Promise<void> {
  const [name] = (await once(child.stdio[3]!, "data")) as [Buffer];
  for (let next = await (pending ?? lines.next()); !next.done; next = await lines.next()) {
    const size = parseSize(next.value);
    if (size) await execute("stty", ["-F", name.toString().trim(), "rows", `${size.Height}`, "cols", `${size.Width}`]);
  }
}

function parseSize(line: string): TerminalSize | undefined {
  const [, Width, Height] = /^\{"Width":(\d+),"Height":(\d+)\}$/.exec(line) ?? [];
  return Width && Height ? { Width: Number(Width), Height: Number(Height) } : undefined;
}

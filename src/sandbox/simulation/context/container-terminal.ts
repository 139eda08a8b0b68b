import { execFile, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { spawnInContainer } from "./container-process.ts";

const execute = promisify(execFile);

/** kubectl sends the size of its window at once; a client without a window sends none. */
const firstSizeMs = 200;

/**
 * Starts a command at a terminal of the client's first size. Node can't open one: `script` of util-linux does, and its input and output are pipes.
 * Returns undefined where that program is absent, as on macOS, whose `script` is another one.
 */
export async function spawnAtTerminal(
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

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isAlive } from "../../files/is-alive.ts";

const intervalMs = 500;

/**
 * Aborts once the process that has started this one has ended. If npm runs this one, as with npx, that is the process that
 * has started npm, which would survive it.
 */
export function untilStarterEnds(env: Readonly<Record<string, string | undefined>>): AbortSignal {
  const ending = new AbortController();
  const { ppid } = process;
  const starters = [ppid];
  if (/^'?tsop\b/.test(env["npm_lifecycle_script"] ?? "")) {
    // npm may have started a shell.
    const [npm, name] = parentOf(ppid);
    starters.push(npm, ...(/^[a-z]*sh$/.test(name) ? [parentOf(npm)[0]] : []));
  }
  const timer = setInterval(() => {
    if (process.ppid === ppid && starters.every(isAlive)) return;
    clearInterval(timer);
    ending.abort();
  }, intervalMs).unref();
  return ending.signal;
}

/** Returns the parent of a process, and the name of the process itself. Linux may lack `ps`, others lack /proc. */
function parentOf(pid: number): [ppid: number, name: string] {
  const text =
    process.platform === "linux"
      ? readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^\d+ \(([^]*)\) \S (\d+)[^]*$/, "$2 $1")
      : execFileSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], { encoding: "utf8" });
  const [, ppid = "", name = ""] = /^\s*(\d+) (?:.*\/)?-?(.*?)\s*$/.exec(text) ?? [];
  return [Number(ppid), name];
}

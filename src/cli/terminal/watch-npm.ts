import { readFileSync } from "node:fs";

const intervalMs = 500;

/**
 * Calls `onGone` once npm, which runs this process, has ended without it. npm starts a command in a shell and passes SIGTERM
 * to that shell alone, so that the server of `npx tsop run --local` would outlive `npx`.
 */
export function watchNpm(env: Readonly<Record<string, string | undefined>>, onGone: () => void): void {
  // A script such as "tsop sandbox &" ends before the program that it has started, and other programs hand the variable
  // down.
  if (!/^'?tsop\b[^&]*$/.test(env["npm_lifecycle_script"] ?? "")) return;
  const before = parents();
  const timer = setInterval(() => {
    if (parents() === before) return;
    clearInterval(timer);
    onGone();
  }, intervalMs).unref();
}

/** Names the parent process and, if that is npm's shell, which outlives a killed npm, the parent of the shell. */
function parents(): string {
  const { ppid } = process;
  const [, npm = ""] = /^\d+ \([a-z]*sh\) \S (\d+)/.exec(statusOf(ppid)) ?? [];
  return `${ppid} ${npm}`;
}

/** Systems other than Linux have no such file. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return "";
  }
}

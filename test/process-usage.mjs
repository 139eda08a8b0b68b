// The usage of processes, from /proc; all zero without one.
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Returns milliseconds of CPU so far, and megabytes. */
export function usageOf(pid) {
  const [, rest = ""] = readText(`/proc/${pid}/stat`).split(") ");
  const ticks = rest.split(" ");
  const [user, system] = [Number(ticks[11] ?? 0) * 10, Number(ticks[12] ?? 0) * 10];
  const status = readText(`/proc/${pid}/status`);
  const megabytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  const memory = { memory: megabytes("VmRSS"), peak: megabytes("VmHWM"), files: megabytes("RssFile") };
  return { user, system, cpu: user + system, ...memory };
}

/** Returns the peak memory of this process in MB. Node's `maxRSS` begins with that of the process that started it. */
export function ownPeak() {
  return usageOf("self").peak || process.resourceUsage().maxRSS / 1024;
}

/** Returns the same without the pages of files, such as those of Node's program, which Linux can drop and read again. */
export function ownPeakWithoutFiles() {
  return ownPeak() - usageOf("self").files;
}

/** Returns the numbers of the processes that any thread of a process has started. */
export function childrenOf(pid) {
  if (!existsSync(`/proc/${pid}/task`)) return [];
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readText(`/proc/${pid}/task/${task}/children`).trim().split(" ").filter(Boolean),
  );
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

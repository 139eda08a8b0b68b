// A whole process, measured from outside: wall-clock time and CPU, which is steadier on a busy machine.
import { spawnSync } from "node:child_process";

/** Returns both in milliseconds, or a `failure` if the program fails. */
export function measureRun([program, ...args], options) {
  const begin = performance.now();
  // The shell sums up the times of its children.
  const shell = ["-c", 'out=$("$@" 2>&1) || { echo "$out"; exit 1; }; times', "sh", program, ...args];
  const { status, stdout } = spawnSync("sh", shell, { ...options, encoding: "utf8" });
  const wall = performance.now() - begin;
  if (status !== 0) return { failure: `${args.join(" ")} failed: ${stdout}` };
  const parts = [...stdout.split("\n")[1].matchAll(/(\d+)m([\d.]+)s/g)];
  const cpu = parts.reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000, 0);
  return { wall, cpu };
}

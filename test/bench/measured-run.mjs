// A whole process, measured from outside: time by the clock and CPU, which is steadier on a machine that does other things.
import { spawnSync } from "node:child_process";

/** Milliseconds of both; a `failure` instead when the program fails. */
export function measuredRun([program, ...args], options) {
  const begin = performance.now();
  // The shell adds up what its children took.
  const shell = ["-c", 'out=$("$@" 2>&1) || { echo "$out"; exit 1; }; times', "sh", program, ...args];
  const { status, stdout } = spawnSync("sh", shell, { ...options, encoding: "utf8" });
  const wall = performance.now() - begin;
  if (status !== 0) return { failure: `${args.join(" ")} failed: ${stdout}` };
  const parts = [...stdout.split("\n")[1].matchAll(/(\d+)m([\d.]+)s/g)];
  const cpu = parts.reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000, 0);
  return { wall, cpu };
}

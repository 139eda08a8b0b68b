// Whole processes: what they print, and, measured from outside, their wall-clock time and CPU, which is steadier on a busy
// machine.
import { spawn, spawnSync } from "node:child_process";

/** Returns both times in milliseconds, or a `failure` if the program fails. */
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

/** Returns what a program prints. */
export function mustRun(cwd, [program, ...args], env = process.env) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${error?.message ?? stderr}`);
  return stdout;
}

/** Runs a module on Node, and resolves to what it prints. */
export async function runModule(program) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  await new Promise((resolve) => child.once("close", resolve));
  return output;
}

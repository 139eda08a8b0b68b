// The same operator on tsop (memcached-operator.js) and on controller-runtime (go-operator), as processes, and what they
// cost: /proc counts their time and memory.
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as after } from "node:timers/promises";
import { usageOf } from "../../test/process-usage.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
export const tsopTwin = { name: "tsop", command: [process.execPath, join(here, "memcached-operator.js")] };
/** Reports the lengths of its turns at its end, which costs memory, and up to a tenth of a core. */
export const observedTwin = { ...tsopTwin, command: [...tsopTwin.command, "--stalls"], idleMs: 150 };

/** Returns both twins, or tsop's alone where the other cannot be built: without Go, or without its modules. */
export function buildTwins(folder) {
  const program = join(folder, "go-operator");
  const cwd = join(here, "go-operator");
  const build = ["build", "-trimpath", "-ldflags", "-s -w", "-o", program, "."];
  const { error, status, stderr } = spawnSync("go", build, { cwd, encoding: "utf8" });
  if (error ?? status) {
    console.log(`no comparison with controller-runtime: ${error?.message ?? stderr.trim().split("\n")[0]}`);
    return [tsopTwin];
  }
  return [tsopTwin, { name: "controller-runtime", command: [program] }];
}

/** Starts a twin; one that is idle uses less than `idleMs` of CPU in a second. */
export function startTwin({ name, command: [program, ...args], idleMs = 30 }, kubeconfig, more = []) {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const begin = performance.now();
  const child = spawn(program, [...args, ...more], { env, stdio: ["ignore", "pipe", "pipe"] });
  let [output, problems] = ["", ""];
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (problems = (problems + chunk).slice(-2_000)));
  const ended = new Promise((resolve) => child.once("close", resolve));
  const usage = () => usageOf(child.pid);
  return {
    begin,
    usage,
    /** Throws if the process has ended. */
    check() {
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${problems}`);
    },
    /** Waits for an idle second; returns the usage before it. */
    async quiet() {
      for (let before = usage(); ;) {
        await after(1_000);
        const now = usage();
        if (now.cpu - before.cpu < idleMs) return { ...now, cpu: before.cpu, user: before.user, system: before.system };
        before = now;
      }
    },
    /** Ends the process; returns its report about itself. */
    async end() {
      child.kill("SIGTERM");
      await ended;
      return output.startsWith("{") ? JSON.parse(output) : {};
    },
  };
}

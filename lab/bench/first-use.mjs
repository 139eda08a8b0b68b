// From an empty folder to the first reconcile, by the commands of README.md, with a warm cache of npm.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const rounds = 5;

/** Prints the numbers; `folder` is a temporary one. */
export async function benchFirstUse({ folder }) {
  const env = { ...process.env, NO_COLOR: "1", KUBECONFIG: "", KUBEBUILDER_ASSETS: "" };
  const times = new Map();
  // The first round fills the cache.
  for (let round = 0; round <= rounds; round++) {
    const cwd = mkdtempSync(join(folder, "project-"));
    const begin = performance.now();
    let last = begin;
    const lap = (name) => {
      const now = performance.now();
      if (round > 0) times.set(name, [...(times.get(name) ?? []), now - last]);
      last = now;
    };
    const must = (program, ...args) => {
      const { status, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
      if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed:\n${stderr}`);
    };
    must(process.execPath, join(repository, "bin/tsop.js"), "init", "--domain", "example.com");
    lap("node …/tsop.js init");
    must("npx", "tsop", "create", "api", "--group", "cache", "--kind", "Memcached");
    lap("npx tsop create api");
    const child = spawn("npx", ["tsop", "run", "--local", "--apply", "config/samples"], { cwd, env, detached: true });
    const ended = new Promise((resolve) => child.once("close", resolve));
    await until(child, "Reconciling Memcached");
    lap("npx tsop run --local, to the first reconcile");
    if (round > 0) times.set("all", [...(times.get("all") ?? []), last - begin]);
    if (!existsSync(join(cwd, "node_modules/tsop"))) throw new Error("nothing was installed");
    process.kill(-child.pid, "SIGINT");
    await ended;
    rmSync(cwd, { recursive: true });
  }
  console.log(`\nThe first use, medians of ${rounds} (fastest to slowest)`);
  for (const [name, list] of times) {
    const sorted = list.toSorted((a, b) => a - b).map((ms) => (ms / 1000).toFixed(1));
    console.log(`${name.padEnd(48)}${sorted[rounds >> 1]} s (${sorted[0]} to ${sorted.at(-1)})`);
  }
}

function until(child, text) {
  return new Promise((resolve, reject) => {
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
        if (output.includes(text)) resolve();
      });
    child.once("close", () => reject(new Error(`the operator ended:\n${output}`)));
  });
}

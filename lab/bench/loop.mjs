// A developer's loop on the Memcached example: from a save to the workers of the new operator, and its test file from
// `vitest` to a pass, compared with an empty test file, which shows Vitest's own share.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { createExampleProject } from "./create-example-project.mjs";
import { measureRun } from "./measure-run.mjs";

const tsop = fileURLToPath(new URL("../../bin/tsop.js", import.meta.url));
const rounds = 9;

/** Prints the numbers; `folder` is a temporary one. */
export async function benchLoop({ folder }) {
  const project = createExampleProject(join(folder, "loop"));
  const env = { ...process.env, NO_COLOR: "1", KUBECONFIG: "", KUBEBUILDER_ASSETS: "" };
  console.log(`\nThe loop of a developer, medians of ${rounds} (fastest to slowest)`);
  print("tsop run --local --watch, save to workers", await benchSaves(project, env));
  const [own, empty] = benchTests(project, env);
  print("vitest run, the controller's tests", own.wall);
  print("… CPU", own.cpu);
  print("vitest run, an empty test", empty.wall);
  print("… CPU", empty.cpu);
}

/** Measures the time after a save. Each round changes a text that the operator logs, so that its bundle changes. */
async function benchSaves(project, env) {
  const file = join(project, "controllers/memcached_controller.ts");
  const text = readFileSync(file, "utf8");
  const child = spawn(process.execPath, [tsop, "run", "--local", "--watch"], { cwd: project, env });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const workers = async () => {
    const deadline = performance.now() + 30_000;
    while (!output.includes("Starting workers")) {
      if (performance.now() > deadline || child.exitCode !== null) throw new Error(`no workers:\n${output}`);
      await wait(1);
    }
  };
  try {
    await workers();
    const times = [];
    for (let round = 0; round < rounds; round++) {
      // Time of a developer who reads the output before the next save; meanwhile the process of the next operator is
      // started.
      await wait(2_500);
      output = "";
      const begin = performance.now();
      writeFileSync(file, text.replace("Created the Deployment", `$& (${round})`));
      await workers();
      times.push(performance.now() - begin);
    }
    return times;
  } finally {
    child.kill("SIGINT");
    await ended;
  }
}

/** Measures whole processes; the rounds alternate. */
function benchTests(project, env) {
  const empty = 'import { it } from "vitest";\n\nit("does nothing", () => {});\n';
  writeFileSync(join(project, "controllers/empty.test.ts"), empty);
  const results = ["memcached_controller", "empty"].map((name) => ({ name, wall: [], cpu: [] }));
  for (let round = 0; round <= rounds; round++)
    for (const { name, wall, cpu } of results) {
      const vitest = join(project, "node_modules/.bin/vitest");
      const command = [vitest, "run", "--project", "unit", `controllers/${name}.test.ts`];
      const run = measureRun(command, { cwd: project, env });
      if (run.failure) throw new Error(run.failure);
      // The first round fills Vitest's caches.
      if (round === 0) continue;
      wall.push(run.wall);
      cpu.push(run.cpu);
    }
  return results;
}

function print(name, list) {
  const [fastest, median, slowest] = [0, list.length >> 1, list.length - 1].map((at) =>
    list.toSorted((a, b) => a - b)[at].toFixed(0),
  );
  console.log(`  ${name.padEnd(44)} ${median.padStart(6)} ms (${fastest} to ${slowest})`);
}

// `npm run bench`: durations of the commands, as medians and as multiples of `node -e 0`, compared with the Go tools if
// KUBEBUILDER_ASSETS or PATH has them; the cost of the embedded server; the time until an operator reconciles. The
// numbers gate nothing: machines are noisy, so compare ratios within one run. `npm run bench -- cli` runs one part of
// cli, generators, olm, server, persistence, runtime, run, loop, clients, first-use, fleet, growth.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { childrenOf, usageOf } from "../../test/process-usage.mjs";
import { createExampleProject } from "./create-example-project.mjs";
import { benchClients } from "./clients.mjs";
import { benchFleet } from "./fleet.mjs";
import { benchFirstUse } from "./first-use.mjs";
import { benchGenerators } from "./generators.mjs";
import { benchGrowth } from "./growth.mjs";
import { benchLoop } from "./loop.mjs";
import { benchOlm } from "./olm.mjs";
import { mustRun } from "./measure-run.mjs";
import { printTimes } from "./print-times.mjs";
import { benchRuntime } from "./runtime.mjs";
import { benchPersistence, benchServer } from "./server.mjs";
import { median } from "./statistics.mjs";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const tsop = join(repository, "bin/tsop.js");
const work = mkdtempSync(join(tmpdir(), "tsop-bench-"));
const env = {
  ...process.env,
  NODE_EXTRA_CA_CERTS: undefined,
  NO_COLOR: "1",
  PATH: [process.env.KUBEBUILDER_ASSETS, process.env.PATH].filter(Boolean).join(delimiter),
};
const flagsAt = process.argv.findIndex((argument, index) => index > 1 && argument.startsWith("--"));
const wanted = process.argv.slice(2, flagsAt < 0 ? undefined : flagsAt);
/** Flags of a part follow its name. */
const flags = flagsAt < 0 ? [] : process.argv.slice(flagsAt);
const rounds = 21;

const parts = {
  cli: benchCli,
  generators: () => benchGenerators({ folder: work }),
  olm: () => benchOlm({ folder: folder("olm"), env }),
  server: () => benchServer({ folder: work, rounds: 7 }),
  persistence: () => benchPersistence({ folder: folder("persistence"), rounds: 3 }),
  runtime: () => benchRuntime({ folder: folder("runtime"), args: flags }),
  run: benchRun,
  loop: () => benchLoop({ folder: work }),
  clients: () => benchClients({ folder: folder("clients") }),
  "first-use": () => benchFirstUse({ folder: folder("first-use") }),
  fleet: () => benchFleet({ folder: folder("fleet"), args: flags }),
  growth: () => benchGrowth({ folder: folder("growth"), args: flags }),
};
// Node parses these certificates at every start, which takes longer than the rest of it. They are a matter of the machine;
// only npm, which asks a registry, may need them.
const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
try {
  for (const [name, bench] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    if (certificates && name === "first-use") process.env.NODE_EXTRA_CA_CERTS = certificates;
    else delete process.env.NODE_EXTRA_CA_CERTS;
    await bench();
  }
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Runs each command in fresh copies of the folder that it needs. The rounds alternate, so that a slow moment affects
 * all commands. The copies stay until the end: after many deletions, ext4 creates files slowly for some minutes.
 */
async function benchCli() {
  const node = (...args) => [process.execPath, ...args];
  const source = ["--tsop", "^0.1.0", "--skip-install"];
  const empty = folder("empty");
  const project = folder("memcached-operator");
  mustRun(project, node(tsop, "init", "--domain", "example.com", ...source), env);
  const cases = [
    ["node -e 0", node("-e", "0"), empty],
    ["tsop version", node(tsop, "version"), empty],
    ["tsop --help", node(tsop, "--help"), empty],
    ["tsop init --skip-install", node(tsop, "init", "--domain", "example.com", ...source), empty],
    [
      "tsop create api --make=false",
      node(tsop, "create", "api", "--group", "cache", "--kind", "Memcached", "--make=false"),
      project,
    ],
    ...goCases(),
  ];
  const times = new Map(cases.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, command, from] of cases) {
      const cwd = copyOf(from);
      const begin = performance.now();
      mustRun(cwd, command, env);
      times.get(name).push(performance.now() - begin);
    }
  }
  console.log("");
  printTimes("command", times);
}

/** Returns the cases for the installed Go tools, with the same work. */
function goCases() {
  const isInstalled = (tool) => spawnSync(tool, ["version"], { env }).error === undefined;
  const flags = ["--domain", "example.com", "--repo", "github.com/example/memcached-operator", "--fetch-deps=false"];
  return ["kubebuilder", "operator-sdk"].filter(isInstalled).flatMap((tool) => {
    const empty = folder(`${tool}-empty`);
    const project = folder(tool);
    const init = [tool, "init", ...(tool === "operator-sdk" ? ["--plugins", "go/v4"] : []), ...flags];
    if (spawnSync(init[0], init.slice(1), { cwd: project, env }).status !== 0) return [];
    const api = [
      "create",
      "api",
      "--group",
      "cache",
      "--version",
      "v1alpha1",
      "--kind",
      "Memcached",
      "--resource",
      "--controller",
      "--make=false",
    ];
    return [
      [`${tool} init --fetch-deps=false`, init, empty],
      [`${tool} create api --make=false`, [tool, ...api], project],
    ];
  });
}

/** Measures the time from the command to the first reconcile on the example. */
async function benchRun() {
  const project = createExampleProject(join(work, "run"));
  const times = [];
  let memory = "";
  for (let round = 0; round < 5; round++) {
    const begin = performance.now();
    const child = spawn(process.execPath, [tsop, "run", "--local", "--apply", "config/samples"], {
      cwd: project,
      env: { ...env, KUBECONFIG: "" },
    });
    await new Promise((resolve, reject) => {
      let output = "";
      const look = (chunk) => {
        output += chunk;
        if (output.includes("Created the Deployment")) resolve();
      };
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      child.on("close", (code) => reject(new Error(`tsop run ended with ${code}:\n${output}`)));
    });
    times.push(performance.now() - begin);
    memory = `${residentMegabytes(child.pid)} MB, operator ${childrenOf(child.pid).map(residentMegabytes).join("+")} MB`;
    await new Promise((resolve) => {
      child.removeAllListeners("close");
      child.on("close", resolve);
      child.kill("SIGINT");
    });
  }
  console.log("\ntsop run --local on examples/memcached-operator");
  console.log(`command to first reconcile ${median(times).toFixed(0)} ms, memory of tsop with its server ${memory}`);
}

function residentMegabytes(pid) {
  return Math.round(usageOf(pid).memory);
}

function folder(name) {
  const path = join(work, name);
  mkdirSync(path);
  return path;
}

/** Copies a project into a folder of its own under the original's name, which is the name of the project. */
function copyOf(from) {
  const copy = join(mkdtempSync(join(work, "copy-")), "memcached-operator");
  cpSync(from, copy, { recursive: true });
  return copy;
}

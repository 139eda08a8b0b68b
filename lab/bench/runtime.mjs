// The library: the cost of `import "tsop"` on top of bare Node, and the same operator on tsop and on controller-runtime,
// as processes on one API server. The rounds alternate, and none is left out.
//   npm run bench -- runtime [--rounds 10] [--sizes 0,1000,10000,50000] [--created 1000,5000] [--json FILE]
// With --twin NAME=PROGRAM, the same operator on another library joins, which takes --concurrent=N, too.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runModule } from "./measure-run.mjs";
import { namesOf, openCluster, startServer } from "./memcacheds.mjs";
import { median, quantile, ratioOf, verdictOf } from "./statistics.mjs";
import { buildTwins, observedTwin, startTwin } from "./twins.mjs";

const repository = fileURLToPath(new URL("../..", import.meta.url));
/** Objects without their Deployment at a start. */
const probes = 20;
const changes = 200;
const observedRuns = 3;

/** Prints the tables; `folder` is a temporary one, `args` come from the command line. */
export async function benchRuntime({ folder, args = [] }) {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: "string", default: "10" },
      sizes: { type: "string", default: "0,1000,10000,50000" },
      created: { type: "string", default: "1000,5000" },
      twin: { type: "string", multiple: true, default: [] },
      json: { type: "string" },
    },
  });
  const numbers = (list) => list.split(",").filter(Boolean).map(Number);
  const rounds = Number(values.rounds);
  await importCost(rounds);
  const others = values.twin.map((twin) => twin.split("=", 2)).map(([name, program]) => ({ name, command: [program] }));
  const twins = [...buildTwins(folder), ...others];
  const server = await startServer(folder);
  const cluster = await openCluster(server);
  const bench = new Bench({ twins, server, cluster, rounds, file: values.json });
  try {
    for (const concurrent of [1, 10])
      for (const count of numbers(values.created)) await bench.throughput(count, concurrent);
    await bench.latency("idle", 0);
    await bench.latency("while 50 of 1,000 others change in a second", 1_000);
    for (const size of numbers(values.sizes)) await bench.coldStart(size);
    console.log(`\nthe same operator on one ${server.isReal ? "real" : "embedded"} API server: medians of ${rounds} alternating rounds`); // prettier-ignore
    for (const [one, other] of pairsOf(twins)) compare(bench.rows, one.name, other?.name);
    console.log("instructions are not counted: Node has no way to read the counters of another process");
  } finally {
    await cluster.close();
    await server.stop();
  }
}

class Bench {
  /** For each measure a list of a value a round for each twin; less is better. */
  rows = [];
  seeded = 0;

  constructor({ twins, server, cluster, rounds, file }) {
    Object.assign(this, { twins, server, cluster, rounds, file });
  }

  /** Starts a twin; a real server has no garbage of the one before. */
  async start(twin, args) {
    await this.server.collectGarbage?.();
    return startTwin(twin, this.server.kubeconfig, args);
  }

  /** Runs a phase for each twin, each round in the other order. Then tsop's twin observes its turns in a few more. */
  async alternate(name, phase) {
    const measured = new Map();
    const add = (twin, measures) => {
      for (const [measure, value] of Object.entries(measures)) {
        const row = measured.get(measure) ?? measured.set(measure, {}).get(measure);
        (row[twin.name] ??= []).push(value);
      }
    };
    for (let round = 0; round < this.rounds; round++) {
      for (const twin of round % 2 ? this.twins.toReversed() : this.twins) add(twin, (await phase(twin)).measures);
    }
    for (let run = 0; run < observedRuns; run++) {
      const { computing, later, gc } = (await phase(observedTwin)).observed;
      add(observedTwin, {
        "longest turn, computing (ms)": computing,
        "… after the first second": later,
        "garbage collection (ms)": gc,
      });
    }
    for (const [measure, values] of measured) this.rows.push({ name: `${name}: ${measure}`, values });
    // After each phase: the whole takes half an hour.
    if (this.file) writeFileSync(this.file, `${JSON.stringify(this.rows, null, 1)}\n`);
  }

  /** Everything is in order but a few Deployments, which are missing: the time until the last of them is there again. */
  async coldStart(size) {
    const { cluster } = this;
    const names = namesOf("m", this.seeded, size);
    await cluster.seed(names);
    this.seeded = Math.max(size, this.seeded);
    if (size === 0) await cluster.create("only");
    const step = Math.max(1, Math.floor(size / probes));
    const missing = size === 0 ? ["only"] : Array.from({ length: probes }, (_, index) => `m-${index * step}`);
    await this.alternate(`start with ${size} objects`, async (twin) => {
      if (cluster.deployments.has(missing[0])) await cluster.removeDeployments(missing);
      const operator = await this.start(twin);
      await cluster.until(() => missing.every((name) => cluster.deployments.has(name)), operator);
      const ms = Math.max(...missing.map((name) => cluster.deployments.get(name).at)) - operator.begin;
      const { cpu, user, system, memory, peak } = await operator.quiet();
      const observed = await operator.end();
      const measures = { "time (ms)": ms, "CPU (ms)": cpu, "user CPU (ms)": user, "system CPU (ms)": system, "memory (MB)": memory, "peak memory (MB)": peak }; // prettier-ignore
      return { measures, observed };
    });
    if (size === 0) await cluster.clear();
  }

  async throughput(count, concurrent) {
    const { cluster } = this;
    await this.alternate(`${count} new objects, ${concurrent} at a time`, async (twin) => {
      const operator = await this.start(twin, [`--concurrent=${concurrent}`]);
      await cluster.create("first");
      await cluster.until(() => cluster.ready.has("first"), operator);
      const before = await operator.quiet();
      const begin = performance.now();
      await cluster.createAll(namesOf("n", 0, count));
      await cluster.until(() => cluster.ready.size === count + 1, operator);
      const end = Math.max(...[...cluster.ready.values()].map(({ at }) => at));
      const { cpu, peak } = operator.usage();
      const observed = await operator.end();
      await cluster.clear();
      return {
        measures: { "time (ms)": end - begin, "CPU (ms)": cpu - before.cpu, "peak memory (MB)": peak },
        observed,
      };
    });
  }

  /** The time from a change of a size to the Deployment's. */
  async latency(name, others) {
    const { cluster } = this;
    const busy = namesOf("b", 0, others);
    await this.alternate(`a change until its effect, ${name}`, async (twin) => {
      await cluster.seed([...busy, "changed"]);
      const operator = await this.start(twin);
      await operator.quiet();
      const stopping = new AbortController();
      const disturbing = disturb(cluster, busy, stopping.signal);
      const times = [];
      for (let change = 0; change < changes; change++) {
        operator.check();
        times.push(await cluster.resize("changed", 4 + (change % 2)));
        await after(20);
      }
      stopping.abort();
      await disturbing;
      const observed = await operator.end();
      await cluster.clear();
      const measures = { "p50 (ms)": median(times), "p99 (ms)": quantile(times, 0.99), "longest (ms)": Math.max(...times) }; // prettier-ignore
      return { measures, observed };
    });
  }
}

async function disturb(cluster, names, signal) {
  for (let turn = 0; names.length > 0 && !signal.aborted; turn++) {
    await cluster.resize(names[turn % names.length], 4 + (Math.floor(turn / names.length) % 2));
    await after(20);
  }
}

function pairsOf([first, ...others]) {
  if (others.length === 0) return [[first]];
  const pairs = others.map((other) => [first, other]);
  return others.length > 1 ? [...pairs, ...pairsOf(others)] : pairs;
}

function compare(rows, one, other) {
  print("", one, other ?? "-", "ratio", "95 % interval", `${one} needs`);
  for (const { name, values } of rows) {
    const [ours, theirs] = [values[one], values[other]];
    if (!ours) continue;
    const figures = [ours, theirs].map((list) => (list ? median(list).toFixed(1) : "-"));
    // CPU is counted in steps of 10 ms, and no number is a multiple of 0.
    if (!theirs || theirs.includes(0)) print(name, ...figures);
    else {
      const ratio = ratioOf(ours, theirs);
      const interval = `${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)}`;
      print(name, ...figures, ratio.ratio.toFixed(2), interval, verdictOf(ratio));
    }
  }
}

async function importCost(rounds) {
  const report = `const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const { ownPeak } = await import(${JSON.stringify(join(repository, "test/process-usage.mjs"))});
    console.log(JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, mb: ownPeak() }));`;
  const library = JSON.stringify(join(repository, "dist/index.js"));
  const programs = { bare: report, tsop: `await import(${library});${report}` };
  const seen = { bare: [], tsop: [] };
  for (let round = 0; round < rounds; round++) {
    for (const [name, program] of Object.entries(programs)) {
      const begin = performance.now();
      const output = await runModule(program);
      seen[name].push({ ms: performance.now() - begin, ...JSON.parse(output) });
    }
  }
  const extraCost = (key) => median(seen.tsop.map((run) => run[key])) - median(seen.bare.map((run) => run[key]));
  const [ms, cpu, mb] = ["ms", "cpu", "mb"].map((key) => extraCost(key).toFixed(0));
  console.log(`\nimport "tsop" on top of bare Node, medians of ${rounds}: ${ms} ms, ${cpu} ms of CPU, ${mb} MB`);
}

function print(name, ...values) {
  console.log(name.padEnd(78) + values.map((value) => value.padStart(20)).join(""));
}

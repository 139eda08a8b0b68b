// `node lab/sharding/cost.mjs [--objects N] [--bytes B] [--period MS] [--seconds S] [--rounds R]`, after a build: what a shard
// costs if one has all objects, of B bytes each, and if three share them, on the embedded server; each object is
// reconciled about once in a period. Then the reconciles a second of one and of three shards that never pause.
// TSOP_SHARDER names the sharder's program.
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { metadataOnly } from "../../dist/index.js";
import { ConfigMap, Secret } from "../../dist/k8s/core/v1.js";
import { createSecrets, namespace, ring, startCluster, untilAvailable } from "./cluster.mjs";
import { usageOf } from "../../test/process-usage.mjs";
import { startShard, startSharder } from "./processes.mjs";
import { sleep } from "./ring.mjs";

const { values } = parseArgs({
  options: {
    objects: { type: "string", default: "10000" },
    bytes: { type: "string", default: "100" },
    seconds: { type: "string", default: "30" },
    rounds: { type: "string", default: "3" },
    period: { type: "string", default: "30000" },
  },
});
const [objects, bytes, seconds, rounds] = ["objects", "bytes", "seconds", "rounds"].map((name) => Number(values[name]));
const sharder = process.env.TSOP_SHARDER;
if (!sharder) throw new Error("TSOP_SHARDER must name the sharder's program");
const shardLabel = `shard.alpha.sharding.timebertt.dev/${ring}`;
const folder = mkdtempSync(join(tmpdir(), "tsop-sharding-"));
const cluster = await startCluster({ api: "embedded", folder, crds: join(dirname(sharder), "../config/crds") });
const { client, kubeconfig } = cluster;
const program = startSharder({ program: sharder, folder, kubeconfig, webhooks: cluster.webhooks });
let number = 0;
let running = [];
try {
  const [empty] = await withShards(1, values.period, measure);
  console.log(
    `a shard without objects has ${empty.megabytes.toFixed(0)} MB, and takes ${empty.cpuSeconds.toFixed(2)} s of CPU in ${seconds} s`,
  );
  await withShards(3, values.period, () => createSecrets(client, names(), bytes));
  for (let round = 0; round < rounds; round++) {
    const [single] = await withShards(1, values.period, measure);
    const three = await withShards(3, values.period, measure);
    const average = (field) => three.reduce((sum, each) => sum + each[field], 0) / 3;
    console.table({
      "CPU s": row(single.cpuSeconds, average("cpuSeconds")),
      "memory MB": row(single.megabytes, average("megabytes")),
      "memory above an empty shard MB": row(single.megabytes - empty.megabytes, average("megabytes") - empty.megabytes),
    });
  }
  for (const count of [1, 3]) console.table(await withShards(count, values.period, measureThroughput));
} finally {
  await end(running);
  program.child.kill("SIGKILL");
  await program.end;
  await cluster.stop();
}

function names() {
  return Array.from({ length: objects }, (_, index) => `object-${index}`);
}

function row(single, shard) {
  return { "one has all": single.toFixed(2), "one of three": shard.toFixed(2), ratio: (shard / single).toFixed(2) };
}

/**
 * Runs as many new shards, until they share all objects and the work is done. The shards before end once the new ones are
 * ready, so that none of these has more than its share for a while.
 */
async function withShards(count, periodMs, work) {
  const before = running;
  running = Array.from({ length: count }, () => {
    const name = `shard-${++number}`;
    const log = join(folder, `${name}.log`);
    return { name, log, ...startShard({ folder, kubeconfig, ring, name, leaseMs: 10_000, periodMs, log }) };
  });
  await untilAvailable(client, before.length + count);
  await end(before);
  await shared(running.map(({ name }) => name));
  return work(running);
}

async function end(shards) {
  for (const { child } of shards) child.kill("SIGTERM");
  await Promise.all(shards.map((shard) => shard.end));
}

/** Waits until each object is assigned to one of the shards, and has its child. */
async function shared(living) {
  // The sharder moves objects one by one.
  const allowedMs = 120_000 + 60 * objects;
  const deadline = Date.now() + allowedMs;
  for (;;) {
    const lists = await Promise.all([Secret, ConfigMap].map((kind) => client.list(metadataOnly(kind), { namespace })));
    const [secrets, children] = lists.map(({ items }) =>
      items.filter(({ metadata }) => metadata.name.includes("object-")),
    );
    const each = [...secrets, ...children].every(({ metadata }) => living.includes(metadata.labels?.[shardLabel]));
    const counts = living.map(
      (name) => secrets.filter(({ metadata }) => metadata.labels?.[shardLabel] === name).length,
    );
    if (each && children.length === secrets.length && (secrets.length === 0 || counts.every(Boolean))) return;
    if (Date.now() > deadline)
      throw new Error(`the objects are not shared after ${allowedMs / 1000} s: ${counts.join(", ")}`);
    await sleep(2000);
  }
}

async function measure(shards) {
  await sleep(5000);
  const before = shards.map(({ child }) => usageOf(child.pid));
  await sleep(seconds * 1000);
  return shards.map(({ child }, index) => {
    const { cpu, memory } = usageOf(child.pid);
    return { cpuSeconds: (cpu - before[index].cpu) / 1000, megabytes: memory };
  });
}

async function measureThroughput(shards) {
  // Not before: the sharder cannot move objects that change all the time.
  for (const { child } of shards) child.kill("SIGUSR2");
  await sleep(Number(values.period) * 1.5 + 5000);
  const ends = () => shards.reduce((sum, { log }) => sum + readFileSync(log, "utf8").split(" end ").length - 1, 0);
  const [reconciles, cpu, server] = [
    ends(),
    shards.map(({ child }) => usageOf(child.pid).cpu / 1000),
    cluster.cpuSeconds(),
  ];
  const begin = performance.now();
  await sleep(15_000);
  const elapsed = (performance.now() - begin) / 1000;
  const share = (used) => `${((used / elapsed) * 100).toFixed(0)} %`;
  return {
    shards: shards.length,
    "reconciles/s": ((ends() - reconciles) / elapsed).toFixed(0),
    "CPU of each shard": shards.map(({ child }, index) => share(usageOf(child.pid).cpu / 1000 - cpu[index])).join(", "),
    "CPU of the server": share(cluster.cpuSeconds() - server),
  };
}

// `node lab/sharding/proof.mjs --api embedded|real [--objects N] [--minutes M] [--seed S] [--lease MS]`, after a build:
// three shards of tsop and the Go shard of the sharder's project share Secrets, while shards are killed, frozen beyond
// their lease, removed and added at random. TSOP_SHARDER names the sharder's program; checksum-controller is in the
// same folder, and its CRD in ../config/crds. Fails if an object was reconciled by two shards at once, was left alone
// for too long, or if the final state is wrong. With --broken, shards let go objects that they reconcile: it must fail.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { ConfigMap, Secret } from "../../dist/k8s/core/v1.js";
import { seededRandom } from "../bench/statistics.mjs";
import { createSecrets, namespace, ring, startCluster, untilAvailable } from "./cluster.mjs";
import { byObject, findForeignWrites, findOverlaps, quantile, readLog, timesAlone, timesOfHandOver } from "./judge.mjs";
import { observe } from "./observer.mjs";
import { startGoShard, startSharder } from "./processes.mjs";
import { Ring, sleep } from "./ring.mjs";

const { values } = parseArgs({
  options: {
    api: { type: "string", default: "embedded" },
    objects: { type: "string", default: "10000" },
    minutes: { type: "string", default: "4" },
    seed: { type: "string", default: "1" },
    lease: { type: "string", default: "10000" },
    period: { type: "string", default: "60000" },
    "hand-over": { type: "string", default: "60" },
    broken: { type: "boolean", default: false },
  },
});
const sharder = process.env.TSOP_SHARDER;
if (!sharder) throw new Error("TSOP_SHARDER must name the sharder's program");
const [objects, minutes, seed, leaseMs] = ["objects", "minutes", "seed", "lease"].map((name) => Number(values[name]));
const shardLabel = `shard.alpha.sharding.timebertt.dev/${ring}`;
const drainLabel = `drain.alpha.sharding.timebertt.dev/${ring}`;
const folder = mkdtempSync(join(tmpdir(), "tsop-sharding-"));
console.log(`The outputs are in ${folder}`);

const cluster = await startCluster({ api: values.api, folder, crds: join(dirname(sharder), "../config/crds") });
const { client, kubeconfig } = cluster;
const started = [];
const shards = new Ring({ folder, kubeconfig, ring, leaseMs, periodMs: values.period, broken: values.broken });
try {
  started.push(startSharder({ program: sharder, folder, kubeconfig, webhooks: cluster.webhooks }));
  const truth = await observe(client, { ring, namespace });
  for (let count = 0; count < 3; count++) shards.add();
  const startGo = () => started.push(startGoShard({ program: sharder, folder, kubeconfig, ring, name: "go-1" }));
  startGo();
  await untilAvailable(client, 4);
  const names = Array.from({ length: objects }, (_, index) => `object-${index}`);
  const begin = performance.now();
  await createSecrets(client, names);
  console.log(`created ${objects} Secrets in ${((performance.now() - begin) / 1000).toFixed(0)} s`);
  await settled();
  console.log(`all have their ConfigMap after ${((performance.now() - begin) / 1000).toFixed(0)} s`);
  await disturb();
  // The Go shard looks at an object only if it changes. A child that is deleted between the moves of its owner and its
  // own is not seen by either shard; a new process looks at all objects.
  const go = started.at(-1);
  go.child.kill("SIGTERM");
  await go.end;
  startGo();
  console.log("waiting for the final state");
  const problem = await settled();
  await truth.stop();
  await shards.close();
  const seen = { owners: [...truth.owners], children: [...truth.children], events: shards.events };
  writeFileSync(join(folder, "truth.json"), JSON.stringify(seen));
  report(truth, problem);
} finally {
  await shards.close();
  for (const { child, end } of started) {
    child.kill("SIGKILL");
    await end;
  }
  await cluster.stop();
}

/** Hits a shard every ten to thirty seconds; users delete children meanwhile, which the owner's shard creates again. */
async function disturb() {
  const chance = seededRandom(seed);
  const choose = (list) => list[Math.floor(chance() * list.length)];
  const end = Date.now() + minutes * 60_000;
  const thaws = [];
  while (Date.now() < end) {
    const pause = Date.now() + 10_000 + chance() * 20_000;
    while (Date.now() < pause) {
      const name = `checksums-object-${Math.floor(chance() * objects)}`;
      await client.delete(ConfigMap, { namespace, name }).catch(() => undefined);
      await sleep(100);
    }
    const healthy = shards.running.filter(({ frozen }) => frozen.every(([, to]) => to < Infinity));
    const action =
      healthy.length < 3 ? "add" : healthy.length > 4 ? "kill" : choose(["kill", "freeze", "remove", "add"]);
    if (action === "add") {
      shards.counts.added++;
      console.log(`${new Date().toISOString()} add ${shards.add().name}`);
    } else if (action === "freeze") thaws.push(shards.freeze(choose(healthy), leaseMs * (1 + chance() * 2.5)));
    else shards[action](choose(healthy));
  }
  await Promise.all(thaws);
  while (shards.running.length < 3) shards.add();
}

/** Waits until each Secret has a living shard and its child the same one; returns what is wrong at the deadline. */
async function settled() {
  const deadline = Date.now() + 240_000;
  for (;;) {
    const problem = await findProblem();
    if (!problem || Date.now() > deadline) return problem;
    await sleep(3000);
  }
}

async function findProblem() {
  const [secrets, maps] = await Promise.all([Secret, ConfigMap].map((kind) => client.list(kind, { namespace })));
  const children = new Map(maps.items.map((map) => [map.metadata.name, map]));
  const living = new Set(["go-1", ...shards.running.map(({ name }) => name)]);
  for (const { metadata } of secrets.items) {
    const shard = metadata.labels?.[shardLabel];
    if (!living.has(shard)) return `${metadata.name} has the shard ${shard}`;
    if (metadata.labels[drainLabel] !== undefined) return `${metadata.name} is to be let go by ${shard}`;
    const child = children.get(`checksums-${metadata.name}`);
    if (!child?.data?.password) return `${metadata.name} of ${shard} has no child`;
    if (child.metadata.labels?.[shardLabel] !== shard) return `the child of ${metadata.name} is not its shard's`;
  }
  return secrets.items.length === objects ? undefined : `there are ${secrets.items.length} Secrets`;
}

function report(truth, problem) {
  const versions = new Map();
  for (const entries of truth.children.values()) for (const { version, at } of entries) versions.set(version, at);
  const logs = shards.processes.map((shard) => readLog(shard, (_object, version) => versions.get(version)));
  const reconciles = logs.flatMap((log) => log.reconciles);
  const groups = byObject(reconciles);
  const overlaps = findOverlaps(groups);
  const writes = logs.flatMap((log) => log.writes);
  const { foreign, goWrites } = findForeignWrites(writes, truth);
  const rows = shards.events.map((event, index) => {
    const times = timesAlone(event, groups, truth.owners, shards.events.slice(index + 1));
    const [assigned, served] = ["assigned", "served"].map((field) => times.map((time) => time[field]));
    return {
      event: event.kind,
      shard: event.name,
      objects: times.length,
      "assigned, median s": quantile(assigned, 0.5).toFixed(1),
      "longest s": quantile(assigned, 1).toFixed(1),
      "reconciled, median s": quantile(served, 0.5).toFixed(1),
      "longest s until reconciled": quantile(served, 1).toFixed(1),
    };
  });
  const handOvers = timesOfHandOver(truth.owners);
  const limit = (2 * leaseMs) / 1000 + Number(values["hand-over"]);
  console.table(rows);
  const longest = Math.max(0, ...rows.map((row) => Number(row["longest s"])));
  console.table({
    server: values.api,
    objects,
    minutes,
    seed,
    "lease s": leaseMs / 1000,
    ...shards.counts,
    reconciles: reconciles.length,
    "failed reconciles": logs.reduce((sum, { failures }) => sum + failures, 0),
    writes: writes.length,
    "writes of the Go shard": goWrites,
    "objects moved by draining": handOvers.length,
    "hand-over, median s": quantile(handOvers, 0.5).toFixed(2),
    "hand-over, longest s": quantile(handOvers, 1).toFixed(2),
    "reconciled by two at once": overlaps.length,
    "writes by a shard that had lost the object": foreign.length,
    "without a living shard, longest s": longest,
    "allowed s": limit,
    "final state": problem ?? "right",
  });
  if (overlaps.length > 0) console.log("overlaps", JSON.stringify(overlaps.slice(0, 5)));
  if (foreign.length > 0) {
    console.log(
      "foreign writes",
      JSON.stringify(foreign.slice(0, 5).map((each) => ({ ...each, owners: truth.owners.get(each.object) }))),
    );
  }
  const failed = problem || overlaps.length > 0 || foreign.length > 0 || longest > limit;
  process.exitCode = failed ? 1 : 0;
}

// The library: the cost of `import "tsop"` on top of bare Node, and the behaviour of the twin of a controller-runtime
// operator against the embedded server in this process: cold starts with objects in sync, memory, throughput, and the
// longest stall of its event loop.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const twin = join(repository, "test/bench/memcached-operator.js");
const sizes = [0, 1000, 10_000];
const probes = 20;
const created = 1000;

/** Prints both tables; `folder` is a temporary one. */
export async function benchRuntime({ folder }) {
  await importCost(9);
  console.log(`\nthe twin (test/bench/memcached-operator.js) on the embedded server`);
  for (const size of sizes) await coldStart(folder, size);
  for (const concurrent of [1, 10]) await throughput(folder, concurrent);
}

async function importCost(rounds) {
  const report = `const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    console.log(JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, mb: maxRSS / 1024 }));`;
  const library = JSON.stringify(join(repository, "dist/index.js"));
  const programs = { bare: report, tsop: `await import(${library});${report}` };
  const seen = { bare: [], tsop: [] };
  for (let round = 0; round < rounds; round++) {
    for (const [name, program] of Object.entries(programs)) {
      const begin = performance.now();
      const output = await outputOf(["--input-type=module", "-e", program]);
      seen[name].push({ ms: performance.now() - begin, ...JSON.parse(output) });
    }
  }
  const extraCost = (key) => median(seen.tsop.map((run) => run[key])) - median(seen.bare.map((run) => run[key]));
  console.log(`\nimport "tsop" on top of bare Node, medians of ${rounds}`);
  print("time, CPU time, memory", `${extraCost("ms").toFixed(0)} ms`, `${extraCost("cpu").toFixed(0)} ms`, `${extraCost("mb").toFixed(1)} MB`); // prettier-ignore
}

/**
 * Measures a cold start. Everything is in sync except a few missing Deployments: the time until the last of them exists
 * again.
 */
async function coldStart(folder, size) {
  const cluster = await startCluster(folder);
  await Promise.all(Array.from({ length: 16 }, (_, worker) => cluster.seed(worker, size, 16)));
  const missing = Array.from({ length: Math.min(probes, size) }, (_, i) => `m-${Math.floor((i * size) / probes)}`);
  for (const name of missing) await cluster.removeDeployment(name);
  if (size === 0) await cluster.create("m-0");
  const operator = cluster.startTwin("--stalls");
  const begin = performance.now();
  await until(() => cluster.deployments() >= Math.max(size, 1));
  const ms = performance.now() - begin;
  await waitForQuiet(operator);
  const { cpu, peak, rss } = usage(operator.pid);
  const stall = JSON.parse(await operator.end());
  print(`cold start with ${size} objects and Deployments`, `${ms.toFixed(0)} ms`, `${cpu.toFixed(2)} s CPU`, `${rss.toFixed(0)} MB`, `peak ${peak.toFixed(0)} MB`, `  turns up to ${stall.wall} ms, computing up to ${stall.computing ?? "?"} ms (at ${stall.at} ms)`); // prettier-ignore
  await cluster.stop();
}

async function throughput(folder, concurrent) {
  const cluster = await startCluster(folder);
  const operator = cluster.startTwin("--concurrent", String(concurrent));
  await cluster.create("warm");
  await until(() => cluster.ready() === 1);
  const before = usage(operator.pid).cpu;
  const begin = performance.now();
  const names = Array.from({ length: created }, (_, index) => `m-${index}`).values();
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (const name of names) await cluster.create(name);
    }),
  );
  await until(() => cluster.ready() === created + 1);
  const seconds = (performance.now() - begin) / 1000;
  const cpu = usage(operator.pid).cpu - before;
  print(`${created} new objects, ${concurrent} at a time`, `${(created / seconds).toFixed(0)} /s`, `${((cpu / created) * 1000).toFixed(2)} ms CPU each`); // prettier-ignore
  await operator.end();
  await cluster.stop();
}

/** Starts the embedded server with the CRD, and a client that watches and writes there. */
async function startCluster(folder) {
  const { startSandbox } = await import("../../dist/sandbox/start-sandbox.js");
  const { defineKind } = await import("../../dist/index.js");
  const stopping = new AbortController();
  const { client, kubeconfig, done } = await startSandbox({ simulate: false }, stopping.signal);
  const Memcached = defineKind({ group: "cache.example.com", version: "v1alpha1", kind: "Memcached", plural: "memcacheds" }); // prettier-ignore
  const Deployment = defineKind({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments" });
  const CustomResourceDefinition = defineKind({ group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition", plural: "customresourcedefinitions", scope: "Cluster" }); // prettier-ignore
  await client.create(CustomResourceDefinition, crd);
  const file = join(folder, "runtime-kubeconfig");
  writeFileSync(file, kubeconfig);
  const namespace = "default";
  const [present, ready] = [new Set(), new Set()];
  const { signal } = stopping;
  await until(() => client.list(Memcached, { namespace }).then(Boolean, () => false));
  const watching = [
    follow(client.watch(Deployment, { namespace, signal }), present, () => true),
    follow(client.watch(Memcached, { namespace, signal }), ready, isReady),
  ];
  return {
    deployments: () => present.size,
    ready: () => ready.size,
    create: (name) => client.create(Memcached, memcached(name)),
    removeDeployment: async (name) => {
      await client.delete(Deployment, { namespace, name });
      await until(() => !present.has(name));
    },
    async seed(from, to, step) {
      for (let i = from; i < to; i += step) {
        const object = await client.create(Memcached, memcached(`m-${i}`));
        await client.status.update(Memcached, { ...object, status: statusOf(object) });
        await client.create(Deployment, deploymentOf(object));
      }
    },
    startTwin: (...args) => startTwin(file, args),
    async stop() {
      stopping.abort();
      await Promise.all([done, ...watching]);
    },
  };
}

async function follow(events, names, counts) {
  try {
    for await (const { type, object } of events) {
      if (type !== "DELETED" && counts(object)) names.add(object.metadata.name);
      else names.delete(object.metadata.name);
    }
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
}

function startTwin(kubeconfig, args) {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const child = spawn(process.execPath, [twin, ...args], { env, stdio: ["ignore", "pipe", "ignore"] });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  const ended = new Promise((resolve) => child.once("close", resolve));
  return {
    pid: child.pid,
    async end() {
      child.kill("SIGTERM");
      await ended;
      return output.trim();
    },
  };
}

const objectSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const crd = {
  metadata: { name: "memcacheds.cache.example.com" },
  spec: {
    group: "cache.example.com",
    names: { plural: "memcacheds", kind: "Memcached", listKind: "MemcachedList", singular: "memcached" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1alpha1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", properties: { spec: objectSchema, status: objectSchema } } },
      },
    ],
  },
};

function memcached(name) {
  return { metadata: { name, namespace: "default" }, spec: { size: 3 } };
}

function statusOf({ metadata: { name, generation } }) {
  const condition = {
    type: "Available",
    status: "True",
    reason: "Reconciled",
    message: "Deployment has 3 replicas",
    observedGeneration: generation,
    lastTransitionTime: "2026-01-01T00:00:00Z",
  };
  return { nodes: [0, 1, 2].map((index) => `${name}-${index}`), conditions: [condition] };
}

function isReady({ status }) {
  return status?.nodes?.length > 0;
}

function deploymentOf({ metadata: { name, namespace, uid } }) {
  const labels = { "app.kubernetes.io/name": "memcached", "app.kubernetes.io/instance": name };
  const owner = { apiVersion: "cache.example.com/v1alpha1", kind: "Memcached", name, uid, controller: true, blockOwnerDeletion: true }; // prettier-ignore
  const container = { name: "memcached", image: "memcached:1.6-alpine", ports: [{ containerPort: 11211 }] };
  return {
    metadata: { name, namespace, labels, ownerReferences: [owner] },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}

/** Waits until a process uses less than 30 ms of CPU in a second. */
async function waitForQuiet({ pid }) {
  for (let before = -1, now = usage(pid).cpu; now - before > 0.03; before = now, now = usage(pid).cpu)
    await pause(1000);
}

/** Returns CPU seconds and memory of a process; zero if there is no /proc. */
function usage(pid) {
  const read = (file) => (existsSync(`/proc/${pid}/${file}`) ? readFileSync(`/proc/${pid}/${file}`, "utf8") : "");
  const fields = (read("stat").split(") ")[1] ?? "").split(" ");
  const megabytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(read("status"))?.[1] ?? 0) / 1024;
  return {
    cpu: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100,
    peak: megabytes("VmHWM"),
    rss: megabytes("VmRSS"),
  };
}

async function until(condition) {
  const deadline = Date.now() + 300_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error("the operator did not get there in five minutes");
    await pause(5);
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function outputOf(args) {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  await new Promise((resolve) => child.once("close", resolve));
  return output;
}

function median(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
}

function print(name, ...values) {
  console.log(name.padEnd(50) + values.map((value) => value.padStart(18)).join(""));
}

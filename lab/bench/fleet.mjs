// One operator for 50 clusters, of which 5 are down and 3 flap: the time from a change in one of the other 42 to the
// operator's write there, compared with the same operator without the bad 8; its memory for each cluster, and after
// clusters that came and went. The rounds alternate.
//   npm run bench -- fleet [--rounds 4] [--seconds 15] [--healthy 42] [--joins 4]
import { fork } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createClient } from "../../dist/index.js";
import { ConfigMap } from "../../dist/k8s/core/v1.js";
import { closedPort, openBlackHole, openFlapping } from "./fleet-faults.mjs";
import { median, quantile } from "./statistics.mjs";

const namespace = "default";
const changesPerSecond = 40;

/** Prints the numbers; `folder` is a temporary one. */
export async function benchFleet({ folder, args = [] }) {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: "string", default: "4" },
      seconds: { type: "string", default: "15" },
      healthy: { type: "string", default: "42" },
      joins: { type: "string", default: "4" },
    },
  });
  const [rounds, seconds, healthy] = [values.rounds, values.seconds, values.healthy].map(Number);
  const servers = await startServers(healthy + 4);
  const [hub, ...others] = servers.list;
  const hubFile = join(folder, "hub.kubeconfig");
  writeFileSync(hubFile, hub.kubeconfig);
  const good = others.slice(0, healthy).map((server, index) => ({ ...server, name: `good-${index}` }));
  const bad = await makeBad(others.slice(healthy));
  const cluster = new Load(good, hub, bad.flapping);
  const series = { alone: [], beside: [] };
  try {
    await cluster.open();
    const sides = [
      ["alone", good],
      ["beside", [...good, ...bad.list]],
    ];
    for (let round = 0; round < rounds; round++) {
      for (const [side, members] of round % 2 ? sides.toReversed() : sides) {
        const operator = await Operator.start(join(folder, `${side}-${round}`), hubFile);
        for (const member of members) operator.add(member.name, member.kubeconfig);
        await operator.until(({ clusters, reachable }) => clusters === members.length && reachable >= healthy);
        series[side].push(await cluster.measure(seconds * 1_000));
        await operator.stop();
      }
    }
    show(series, { healthy, rounds, seconds });
    await measureMemory({ folder, hubFile, good, joins: Number(values.joins) });
  } finally {
    cluster.close();
    bad.close();
    servers.stop();
  }
}

/** Starts embedded servers, at most 13 in a process. */
async function startServers(count) {
  const sizes = [];
  for (let left = count; left > 0; left -= 13) sizes.push(Math.min(13, left));
  const children = sizes.map((size) => fork(new URL("./fleet-servers.js", import.meta.url), [String(size)]));
  const lists = await Promise.all(children.map((child) => answerOf(child)));
  return { list: lists.flat(), stop: () => children.forEach((child) => child.disconnect()) };
}

/** Returns 5 clusters that are down, of which one refuses connections, and 3 that flap. */
async function makeBad(servers) {
  const holes = await Promise.all([0, 1, 2, 3].map(() => openBlackHole()));
  const ports = [await closedPort(), ...holes.map(({ port }) => port)];
  const [{ kubeconfig: model }] = servers;
  const at = (port, kubeconfig) => kubeconfig.replace(/server: \S+/, `server: https://127.0.0.1:${port}`);
  const down = ports.map((port, index) => ({ name: `down-${index}`, kubeconfig: at(port, model) }));
  const proxies = await Promise.all(
    servers.map(({ config }, index) => openFlapping(Number(new URL(config.server).port), 2_000 + 700 * index)),
  );
  const flapping = servers.map((server, index) => ({
    ...server,
    name: `flapping-${index}`,
    kubeconfig: at(proxies[index].port, server.kubeconfig),
  }));
  const close = () => [...holes, ...proxies].forEach((each) => each.close());
  return { list: [...down, ...flapping], flapping, close };
}

/** Changes ConfigMaps in all clusters, and measures how long the operator takes in the good ones. */
class Load {
  waiting = new Map();
  times = [];
  missed = 0;
  serial = 0;
  ended = new AbortController();

  constructor(good, hub, flapping) {
    Object.assign(this, { good, flapping });
    this.hub = createClient({ config: hub.config });
    this.clients = new Map([...good, ...flapping].map(({ name, config }) => [name, createClient({ config })]));
  }

  async open() {
    await this.hub.create(ConfigMap, configMap("all"));
    for (const client of this.clients.values()) await client.create(ConfigMap, configMap("in"));
    for (const { name } of this.good) void this.watch(name);
  }

  async watch(name) {
    const fields = "metadata.name=out";
    while (!this.ended.signal.aborted) {
      try {
        const watch = this.clients.get(name).watch(ConfigMap, { namespace, fields, signal: this.ended.signal });
        for await (const { object } of watch) {
          const value = object.data?.value;
          const begin = this.waiting.get(value);
          if (begin === undefined) continue;
          this.waiting.delete(value);
          this.times.push(performance.now() - begin);
        }
      } catch (error) {
        if (!this.ended.signal.aborted) throw error;
      }
    }
  }

  /** Changes one object after the other; returns the times. */
  async measure(ms) {
    // The first changes of an operator are slow: code is compiled.
    await this.change(3_000);
    this.times = [];
    await this.change(ms);
    for (let wait = 0; this.waiting.size > 0 && wait < 100; wait++) await after(50);
    const [times, missed] = [this.times, this.waiting.size];
    this.waiting.clear();
    return { times, missed };
  }

  async change(ms) {
    const end = performance.now() + ms;
    const all = [...this.good, ...this.flapping];
    for (let count = 0; performance.now() < end; count++) {
      const { name } = all[count % all.length];
      const value = String(++this.serial);
      const isGood = count % all.length < this.good.length;
      if (isGood) this.waiting.set(value, performance.now());
      await this.clients.get(name).update(ConfigMap, configMap("in", value));
      if (count % changesPerSecond === 0) await this.hub.update(ConfigMap, configMap("all", value));
      await after(1_000 / changesPerSecond);
    }
  }

  close() {
    this.ended.abort();
  }
}

class Operator {
  static async start(folder, hubFile) {
    mkdirSync(folder);
    const program = new URL("./fleet-operator.js", import.meta.url);
    const env = { ...process.env, NODE_ENV: "production" };
    const child = fork(program, [hubFile, folder], { execArgv: [...process.execArgv, "--expose-gc"], env });
    return new Operator(folder, child);
  }

  constructor(folder, child) {
    Object.assign(this, { folder, child });
  }

  add(name, kubeconfig) {
    const hidden = join(this.folder, `.${name}`);
    writeFileSync(hidden, kubeconfig);
    renameSync(hidden, join(this.folder, `${name}.kubeconfig`));
  }

  remove(name) {
    rmSync(join(this.folder, `${name}.kubeconfig`));
  }

  memory() {
    this.child.send("memory");
    return answerOf(this.child);
  }

  async until(condition) {
    for (const end = performance.now() + 60_000; performance.now() < end; await after(100)) {
      const state = await this.memory();
      if (condition(state)) return state;
    }
    throw new Error("the fleet did not get there within a minute");
  }

  async stop() {
    this.child.send("stop");
    await new Promise((resolve) => this.child.once("exit", resolve));
  }
}

/** Measures the heap with all clusters, and with none again, several times. */
async function measureMemory({ folder, hubFile, good, joins }) {
  const operator = await Operator.start(join(folder, "memory"), hubFile);
  console.log("\n  heap of the operator after a garbage collection (resident), MB");
  for (let round = 0; round < joins; round++) {
    for (const { name, kubeconfig } of good) operator.add(name, kubeconfig);
    const full = await operator.until(({ reachable }) => reachable === good.length).then(() => settled(operator));
    for (const { name } of good) operator.remove(name);
    const empty = await operator.until(({ clusters }) => clusters === 0).then(() => settled(operator));
    const each = (full.heapUsed + full.external - empty.heapUsed - empty.external) / good.length / 1024;
    console.log(`  round ${round + 1}: ${good.length} clusters ${megabytes(full)}, none ${megabytes(empty)}, ${each.toFixed(0)} kB a cluster`); // prettier-ignore
  }
  await operator.stop();
}

/** Returns the memory once caches are filled and connections closed. */
async function settled(operator) {
  await after(1_500);
  return operator.memory();
}

function show(series, { healthy, rounds, seconds }) {
  console.log(`\nOne operator for ${healthy} clusters, ${rounds} rounds of ${seconds} s, ${changesPerSecond} changes a second`); // prettier-ignore
  const rows = Object.entries(series).map(([side, list]) => {
    const times = list.flatMap((each) => each.times);
    const missed = list.reduce((sum, each) => sum + each.missed, 0);
    const [p50, p99] = [0.5, 0.99].map((part) => list.map((each) => quantile(each.times, part)));
    return { side, count: times.length, missed, p50: median(p50), p99: median(p99), worst: Math.max(...times) };
  });
  for (const { side, count, missed, p50, p99, worst } of rows) {
    const name = side === "alone" ? "without bad clusters" : "beside 5 down and 3 flapping";
    console.log(`  ${name.padEnd(30)} p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${worst.toFixed(0)} ms, ${count} changes, ${missed} missed`); // prettier-ignore
  }
  const [alone, beside] = rows;
  console.log(`  ratio: p50 ${(beside.p50 / alone.p50).toFixed(2)}, p99 ${(beside.p99 / alone.p99).toFixed(2)}`);
}

function answerOf(child) {
  return new Promise((resolve, reject) => {
    const end = (code) => reject(new Error(`a process ended with ${code}`));
    child.once("exit", end);
    child.once("message", (message) => {
      child.off("exit", end);
      resolve(message);
    });
  });
}

function configMap(name, value = "0") {
  return { metadata: { namespace, name }, data: { value } };
}

function megabytes({ heapUsed, rss }) {
  return `${(heapUsed / 2 ** 20).toFixed(1)} (${(rss / 2 ** 20).toFixed(0)})`;
}

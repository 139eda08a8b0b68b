// The embedded server compared with a real one (KUBEBUILDER_ASSETS), each in a process of its own, under the same load.
// The rounds alternate, so that a slow moment of the machine affects both; compare the two columns of one run.
import { join } from "node:path";
import { startEmbedded, startReal } from "./measured-servers.mjs";
import { median, ratioOf } from "./statistics.mjs";
import { openConnection } from "./thin-client.mjs";
import { establish, openWatch, path, spread, widget } from "./widgets.mjs";

const connections = 32;
const watchers = 50;

/** Prints the table. `folder` is a temporary one; lower counts give a quick trial run. */
export async function benchServer({ folder, ...counts }) {
  const assets = process.env.KUBEBUILDER_ASSETS;
  const targets = { embedded: (round) => startEmbedded(join(folder, `sandbox-${round}`)) };
  if (assets) targets.real = () => startReal(assets);
  await compare(targets, counts);
}

/** Prints the table for the embedded server with and without a folder that keeps its objects. */
export async function benchPersistence({ folder, ...counts }) {
  const start = (name, flags) => (round) => {
    const path = join(folder, `${name}-${round}`);
    return startEmbedded(
      path,
      flags.map((flag) => flag.replace("STATE", `${path}-state`)),
    );
  };
  const targets = {
    "in memory": start("memory", []),
    "--persist": start("persist", ["--persist", "STATE"]),
  };
  await compare(targets, counts);
}

async function compare(targets, { rounds, objects = 10_000, changes = 3_000, fannedOut = 2_000 }) {
  const results = Object.fromEntries(Object.keys(targets).map((name) => [name, new Map()]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, start] of Object.entries(targets)) {
      const record = (key, value) => results[name].set(key, [...(results[name].get(key) ?? []), value]);
      const server = await start(round);
      try {
        for (const [key, value] of Object.entries(server.times)) record(key, value);
        await load(server, record, { objects, changes, fannedOut });
      } finally {
        await server.stop();
      }
    }
  }
  show(results, rounds);
}

async function load(server, record, { objects, changes, fannedOut }) {
  const pool = await Promise.all(Array.from({ length: connections }, () => openConnection(server.access)));
  const phase = async (name, count, work) => {
    const cpu = server.cpuSeconds();
    const begin = performance.now();
    await spread(pool, count, work);
    const seconds = (performance.now() - begin) / 1000;
    record(name, { rate: count / seconds, cpu: ((server.cpuSeconds() - cpu) / count) * 1000 });
  };
  await establish(pool[0]);
  const empty = server.megabytes();
  record("memory without objects", { megabytes: empty });
  const watch = await openWatch(server.access, objects);
  const written = [];
  const probe = await startProbe(server.access, "/livez");
  await phase(`create ${objects} custom resources, one watcher`, objects, async (connection, index) => {
    const body = JSON.stringify(widget(index));
    written[index] = await connection.send("POST", path, { body });
  });
  record("longest wait of another request meanwhile", { ms: await probe.stop() });
  await watch.done;
  watch.close();
  record("memory of them", { megabytes: server.megabytes() - empty });
  record("memory in all", { megabytes: server.megabytes() });
  await phase(`update (PUT) ${changes}`, changes, async (connection, index) => {
    const object = JSON.parse(written[index].toString());
    object.spec.size = 4;
    await connection.send("PUT", `${path}/w-${index}`, { body: JSON.stringify(object) });
  });
  const merge = { body: JSON.stringify({ spec: { size: 5 } }), contentType: "application/merge-patch+json" };
  await phase(`merge patch ${changes}`, changes, (connection, index) =>
    connection.send("PATCH", `${path}/w-${index}`, merge),
  );
  const replace = {
    body: JSON.stringify([{ op: "replace", path: "/spec/size", value: 7 }]),
    contentType: "application/json-patch+json",
  };
  await phase(`JSON patch ${changes}`, changes, (connection, index) =>
    connection.send("PATCH", `${path}/w-${index}`, replace),
  );
  await phase(`server-side apply ${changes}`, changes, (connection, index) => {
    const body = JSON.stringify(widget(index, { size: 6 }));
    const url = `${path}/w-${index}?fieldManager=bench&force=true`;
    return connection.send("PATCH", url, { body, contentType: "application/apply-patch+yaml" });
  });
  await phase("get", changes, (connection, index) => connection.send("GET", `${path}/w-${index}`));
  for (let turn = 0; turn < 3; turn++) {
    const begin = performance.now();
    await pool[0].send("GET", path);
    record(`list of ${objects}`, { ms: performance.now() - begin });
  }
  const begun = performance.now();
  for (let token = ""; token !== undefined;) {
    const page = await pool[0].send("GET", `${path}?limit=500&continue=${token}`);
    // One server writes the metadata of a list first, the other last.
    const ends = page.toString("latin1", 0, 500) + page.toString("latin1", page.length - 500);
    token = /"continue":"([^"]+)"/.exec(ends)?.[1];
  }
  record("the same in pages of 500", { ms: performance.now() - begun });
  await phase("create ConfigMaps", changes, (connection, index) => {
    const configMap = { metadata: { name: `c-${index}` }, data: { a: "b" } };
    return connection.send("POST", "/api/v1/namespaces/default/configmaps", { body: JSON.stringify(configMap) });
  });
  const lists = await startProbe(server.access, path);
  await phase(`merge patch ${changes}, while another client lists all`, changes, (connection, index) =>
    connection.send("PATCH", `${path}/w-${index}`, { ...merge, body: JSON.stringify({ spec: { size: 8 } }) }),
  );
  record("longest such list", { ms: await lists.stop() });
  const audience = await Promise.all(
    Array.from({ length: watchers }, () => openWatch(server.access, fannedOut, "resourceVersion=0&labelSelector=new")),
  );
  const begin = performance.now();
  await spread(pool, fannedOut, (connection, index) => {
    const object = widget(`new-${index}`);
    object.metadata.labels.new = "";
    return connection.send("POST", path, { body: JSON.stringify(object) });
  });
  await Promise.all(audience.map(({ done }) => done));
  const seconds = (performance.now() - begin) / 1000;
  record(`${fannedOut} creates seen by ${watchers} watchers`, {
    rate: (fannedOut * watchers) / seconds,
    unit: "events/s",
  });
  for (const connection of [...pool, ...audience]) connection.close();
}

/** Sends one request after the other until it is stopped, and returns the longest time to an answer. */
async function startProbe(access, path) {
  const connection = await openConnection(access);
  let longest = 0;
  const stopping = new AbortController();
  const work = (async () => {
    while (!stopping.signal.aborted) {
      const begin = performance.now();
      await connection.send("GET", path);
      longest = Math.max(longest, performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  const stop = async () => {
    stopping.abort();
    await work;
    connection.close();
    return longest;
  };
  return { stop };
}

function show(results, rounds) {
  const names = Object.keys(results);
  console.log(`\nAPI servers: ${connections} connections, medians of ${rounds} rounds (CPU of the server's processes)`);
  print("", [...names, ...names.slice(1).map((name) => `to ${name}, interval`)]);
  for (const key of results[names[0]].keys()) {
    const [ours, ...others] = names.map((name) => results[name].get(key));
    print(key, [ours, ...others].map(format).concat(others.map((theirs) => (theirs ? share(ours, theirs) : ""))));
  }
}

function print(name, cells) {
  console.log(name.padEnd(52) + cells.map((cell) => cell.padStart(28)).join(""));
}

/** The first measure of a sample; some phases also measure the CPU. */
const mainMeasure = (samples) => samples.map(({ rate, ms, megabytes }) => rate ?? ms ?? megabytes);

function share(ours, theirs) {
  const { ratio, low, high } = ratioOf(mainMeasure(ours), mainMeasure(theirs));
  return [ratio, low, high].map((value) => value.toFixed(2)).join(" ");
}

function format(samples) {
  if (!samples) return "";
  const value = median(mainMeasure(samples)).toFixed(0);
  const { rate, ms, unit = "/s" } = samples[0];
  if (rate === undefined) return `${value} ${ms === undefined ? "MB" : "ms"}`;
  const cpu = samples[0].cpu === undefined ? "" : `, ${median(samples.map((sample) => sample.cpu)).toFixed(2)} CPU ms`;
  return `${value} ${unit}${cpu}`;
}

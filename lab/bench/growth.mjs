// What grows with the number of objects, watchers and kinds, and with the size of a bundle: each size is twice the one
// before it, and neither time nor memory should more than double.
//   npm run bench -- growth [--rounds 3]
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measure, projectOf } from "./generators.mjs";
import { mustRun } from "./measure-run.mjs";
import { startEmbedded } from "./measured-servers.mjs";
import { namesOf, openCluster, startEmbeddedServer } from "./memcacheds.mjs";
import { median, ratioOf } from "./statistics.mjs";
import { openConnection } from "./thin-client.mjs";
import { startTwin, tsopTwin } from "./twins.mjs";
import { establish, openWatch, path, spread, widget } from "./widgets.mjs";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const tsop = join(repository, "bin/tsop.js");
const doubled = (first) => [1, 2, 4, 8].map((factor) => first * factor);
const createdForWatchers = 200;
/** Enough that those during which the client collects garbage are the fewest. */
const listsOfRound = 15;

/** Prints the table; `folder` is a temporary one. */
export async function benchGrowth({ folder, args = [] }) {
  const { values } = parseArgs({ args, options: { rounds: { type: "string", default: "3" } } });
  const rounds = Number(values.rounds);
  const repeat = async (work) => {
    const list = [];
    for (let round = 0; round < rounds; round++) list.push(await work());
    return list;
  };
  console.log(
    `\ngrowth: each size is twice the one before it; medians of ${rounds}, in brackets × the one before and its 95 % interval`,
  );
  await growObjects(folder, repeat);
  await growWatchers(folder, repeat);
  await growKinds(folder, repeat);
  await growBundles(folder, repeat);
}

/** An operator's start, and the server that it watches: a new one for each size and round, since a heap keeps its size. */
async function growObjects(folder, repeat) {
  const sizes = doubled(2_500);
  const results = [];
  for (const size of sizes) results.push(await repeat(() => startWith(size, folder)));
  printRow("custom resources, with a Deployment each", sizes.map(String));
  print("  CPU of an operator's start", results, "cpu", "ms");
  print("  memory of the operator", results, "memory", "MB");
  print("  memory of the embedded server", results, "serverMemory", "MB");
  print("  a list of the custom resources", results, "list", "ms");
}

async function startWith(size, folder) {
  const server = await startEmbeddedServer(folder);
  const cluster = await openCluster(server);
  try {
    await cluster.seed(namesOf("m", 0, size));
    const last = `m-${size - 1}`;
    await cluster.removeDeployments([last]);
    const operator = startTwin(tsopTwin, server.kubeconfig);
    await cluster.until(() => cluster.deployments.has(last), operator);
    const { cpu, memory } = await operator.quiet();
    await operator.end();
    const serverMemory = server.megabytes();
    const lists = [];
    for (let turn = 0; turn < listsOfRound; turn++)
      lists.push(await timed(() => server.client.list(cluster.Memcached, { namespace: "default" })));
    return { cpu, memory, serverMemory, list: median(lists) };
  } finally {
    await cluster.close();
    await server.stop();
  }
}

async function growWatchers(folder, repeat) {
  const sizes = doubled(25);
  const results = [];
  for (const size of sizes) results.push(await repeat(() => watch(join(folder, `watchers-${size}`), size)));
  printRow(`watchers of ${createdForWatchers} creates`, sizes.map(String));
  print("  until all have seen all", results, "ms", "ms");
  print("  memory of the embedded server", results, "megabytes", "MB");
}

async function watch(folder, size) {
  const server = await startEmbedded(folder);
  try {
    const connection = await openConnection(server.access);
    await establish(connection);
    const audience = await Promise.all(
      Array.from({ length: size }, () => openWatch(server.access, createdForWatchers, "resourceVersion=0")),
    );
    const ms = await timed(async () => {
      await spread([connection], createdForWatchers, (_, index) =>
        connection.send("POST", path, { body: JSON.stringify(widget(index)) }),
      );
      await Promise.all(audience.map(({ done }) => done));
    });
    const megabytes = server.megabytes();
    for (const each of [connection, ...audience]) each.close();
    return { ms, megabytes };
  } finally {
    await server.stop();
  }
}

async function growKinds(folder, repeat) {
  const sizes = doubled(10);
  const results = [];
  for (const size of sizes) {
    const project = projectOf(join(folder, `kinds-${size}`), size);
    results.push(await repeat(() => measure(project, [process.execPath, tsop, "generate", "manifests"])));
  }
  printRow("kinds of a project", sizes.map(String));
  printCommand("generate manifests", results);
}

/** Bundles of the Memcached example with more and more ConfigMaps. */
async function growBundles(folder, repeat) {
  if (spawnSync("kustomize", ["version"]).error) return console.log("no kustomize: bundles are not measured");
  const project = join(folder, "bundles");
  const isSource = (from) => !from.includes("node_modules");
  cpSync(join(repository, "examples/memcached-operator"), project, { recursive: true, filter: isSource });
  mkdirSync(join(project, "node_modules"));
  symlinkSync(repository, join(project, "node_modules/tsop"));
  mustRun(project, [process.execPath, tsop, "generate", "kustomize", "manifests", "-q"]);
  const built = mustRun(project, ["kustomize", "build", "config/manifests"]);
  const sizes = doubled(50);
  const [generate, validate] = [[], []];
  for (const size of sizes) {
    const input = join(project, "input.yaml");
    writeFileSync(input, [built, ...namesOf("settings", 0, size).map(configMap)].join("---\n"));
    const make = [
      "sh",
      "-c",
      `exec "$0" "$1" generate bundle -q --version 0.0.1 --output-dir bundle-${size} <input.yaml`,
    ];
    generate.push(await repeat(() => measure(project, [...make, process.execPath, tsop])));
    const check = [process.execPath, tsop, "bundle", "validate", `bundle-${size}`];
    validate.push(await repeat(() => measure(project, check)));
  }
  printRow("objects of a bundle beside the operator's", sizes.map(String));
  printCommand("generate bundle", generate);
  printCommand("bundle validate", validate);
}

function configMap(name) {
  const data = Array.from(
    { length: 20 },
    (_, index) => `  key-${index}: a value of some length, which is line ${index}\n`,
  );
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: memcached-operator-system\ndata:\n${data.join("")}`;
}

async function timed(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function printCommand(name, results) {
  print(`  ${name}`, results, "wall", "ms");
  if (results.flat().every(({ memory }) => memory > 0)) print("  its memory", results, "memory", "MB");
}

/** Prints a measure of each size, with its rounds in `results`, and its ratio to half the size. */
function print(name, results, key, unit) {
  const lists = results.map((rounds) => rounds.map((round) => round[key]));
  const cells = lists.map((list, index) => {
    const value = `${median(list).toFixed(0)} ${unit}`;
    if (index === 0) return value;
    const [ratio, low, high] = Object.values(ratioOf(list, lists[index - 1])).map((each) => each.toFixed(2));
    return `${value} (${ratio}, ${low} to ${high})`;
  });
  printRow(name, cells);
}

function printRow(name, cells) {
  console.log(name.padEnd(44) + cells.map((cell) => cell.padStart(32)).join(""));
}

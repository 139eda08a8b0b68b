// tsop's client and the installed versions of client-node, each as a program of its own against one embedded server:
// import, gets one after the other, a large list.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "./memcacheds.mjs";
import { median } from "./statistics.mjs";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const rounds = 9;
const objects = 2_000;
const gets = 500;

/** The body of each program defines `get` and `list`. */
const programs = {
  tsop: `
    const { createClient, defineKind, loadConfig } = await import(${JSON.stringify(join(repository, "dist/index.js"))});
    imported();
    const client = createClient({ config: await loadConfig() });
    const ConfigMap = defineKind({ group: "", version: "v1", kind: "ConfigMap", plural: "configmaps" });
    const get = (name) => client.get(ConfigMap, { namespace: "default", name });
    const list = () => client.list(ConfigMap, { namespace: "default" });`,
  "client-node 1": clientNode("@kubernetes/client-node"),
  "client-node 2": clientNode("client-node-2"),
};

function clientNode(name) {
  return `
    const { CoreV1Api, KubeConfig } = await import(${JSON.stringify(name)});
    imported();
    const config = new KubeConfig();
    config.loadFromDefault();
    const api = config.makeApiClient(CoreV1Api);
    const get = (name) => api.readNamespacedConfigMap({ namespace: "default", name });
    const list = () => api.listNamespacedConfigMap({ namespace: "default" });`;
}

function programOf(body) {
  return `
    const cpu = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;
    const result = {};
    const bare = { cpu: cpu(), memory: process.memoryUsage.rss() };
    function imported() {
      result["import, CPU (ms)"] = cpu() - bare.cpu;
      result["import, memory (MB)"] = (process.memoryUsage.rss() - bare.memory) / 2 ** 20;
    }
    ${body}
    await get("c-0");
    const measure = async (name, work, count) => {
      const [begin, before] = [performance.now(), cpu()];
      await work();
      result[name + ", time (ms)"] = (performance.now() - begin) / count;
      result[name + ", CPU (ms)"] = (cpu() - before) / count;
    };
    await measure("a get", async () => { for (let i = 0; i < ${gets}; i++) await get("c-" + i); }, ${gets});
    await measure("a list of ${objects}", list, 1);
    result["memory in the end (MB)"] = process.memoryUsage.rss() / 2 ** 20;
    console.log(JSON.stringify(result));
    process.exit();`;
}

/** Prints the table; `folder` is a temporary one. */
export async function benchClients({ folder }) {
  const server = await startServer(folder);
  const { defineKind } = await import("../../dist/index.js");
  const ConfigMap = defineKind({ group: "", version: "v1", kind: "ConfigMap", plural: "configmaps" });
  for (let index = 0; index < objects; index++)
    await server.client.create(ConfigMap, { metadata: { name: `c-${index}`, namespace: "default" }, data: { a: "b" } });
  const env = { ...process.env, KUBECONFIG: server.kubeconfig };
  const seen = {};
  try {
    for (let round = 0; round < rounds; round++)
      for (const [name, body] of Object.entries(programs)) {
        const args = ["--input-type=module", "-e", programOf(body)];
        const { status, stdout } = spawnSync(process.execPath, args, { cwd: repository, env, encoding: "utf8" });
        // The current version of client-node needs Node 22.
        if (status === 0) (seen[name] ??= []).push(JSON.parse(stdout));
      }
  } finally {
    await server.stop();
  }
  console.log(`\nclients of Node ${process.versions.node} on one ${server.isReal ? "real" : "embedded"} server, medians of ${rounds} rounds (least to most)`); // prettier-ignore
  print("", Object.keys(seen));
  for (const measure of Object.keys(seen.tsop[0]))
    print(measure, Object.values(seen).map((runs) => figureOf(runs.map((run) => run[measure])))); // prettier-ignore
}

function figureOf(list) {
  const [least, most] = [Math.min(...list), Math.max(...list)];
  return `${median(list).toFixed(1)} (${least.toFixed(1)} to ${most.toFixed(1)})`;
}

function print(name, values) {
  console.log(name.padEnd(34) + values.map((value) => value.padStart(26)).join(""));
}

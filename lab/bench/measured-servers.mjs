// Servers in processes of their own and their cost: the time of a start, and CPU and memory at any moment.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { childrenOf, usageOf } from "../../test/process-usage.mjs";
import { runModule } from "./measure-run.mjs";
import { openConnection } from "./thin-client.mjs";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Starts `tsop sandbox`, timed from the command on, and times the server alone in a new process. */
export async function startEmbedded(folder, flags = []) {
  const kubeconfig = `${folder}-kubeconfig`;
  const inProcess = await startInProcess();
  const begin = performance.now();
  const args = [join(repository, "bin/tsop.js"), "sandbox", "--simulate", "off", "--kubeconfig", kubeconfig];
  const child = spawn(process.execPath, [...args, ...flags], { stdio: "ignore" });
  const access = await until(() => readAccess(kubeconfig));
  const connection = await openConnection(access);
  await connection.send("GET", "/api/v1/namespaces");
  const times = {
    "start to first answer, as a program": { ms: performance.now() - begin },
    "the same in process": { ms: inProcess },
  };
  connection.close();
  const stop = () => {
    child.kill("SIGINT");
    return new Promise((resolve) => child.once("close", resolve));
  };
  return { access, times, stop, ...usage([child.pid]) };
}

/** Measures from the call of the function to the first response over HTTPS, including the loading of the modules. */
async function startInProcess() {
  const program = `
    const begin = performance.now();
    const { startSandbox } = await import(${JSON.stringify(join(repository, "dist/sandbox/start-sandbox.js"))});
    const { request } = await import("node:https");
    const stopping = new AbortController();
    const { config } = await startSandbox({ simulate: false }, stopping.signal);
    const headers = { authorization: "Bearer " + config.token };
    request(config.server + "/api/v1/namespaces", { ca: config.ca, headers, agent: false }, (response) => {
      response.resume().once("end", () => { console.log(performance.now() - begin); stopping.abort(); });
    }).end();`;
  return Number(await runModule(program));
}

function readAccess(kubeconfig) {
  if (!existsSync(kubeconfig)) return undefined;
  const text = readFileSync(kubeconfig, "utf8");
  const field = (name) => new RegExp(`${name}: (\\S+)`).exec(text)?.[1];
  const [server, caData, token] = [field("server"), field("certificate-authority-data"), field("token")];
  return token && { server, ca: Buffer.from(caData, "base64").toString(), token };
}

/** Starts etcd and kube-apiserver as the tests do. */
export async function startReal(assets) {
  const { TestEnvironment } = await import("../../dist/testing/index.js");
  const begin = performance.now();
  const environment = new TestEnvironment({ binaryAssetsDirectory: assets, startTimeoutMs: 60_000 });
  await environment.start();
  const times = { "start to first answer, as a program": { ms: performance.now() - begin } };
  const stop = () => environment.stop();
  return { access: environment.config, times, stop, ...usage(childrenOf(process.pid)) };
}

async function until(find) {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const found = find();
    if (found) return found;
    if (Date.now() > deadline) throw new Error("the server did not start");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Returns the usage of the processes so far. */
function usage(pids) {
  const sum = (field) => pids.reduce((total, pid) => total + usageOf(pid)[field], 0);
  return { cpuSeconds: () => sum("cpu") / 1000, megabytes: () => sum("memory") };
}

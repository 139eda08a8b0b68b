// `npm run demo`: a user's first minute in a temporary folder. Each step runs the shipped command line; the last ones
// connect to the embedded server through the kubeconfig that `tsop run --local` writes.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, defineKind, isInvalid, isNotFound, loadConfig, mergePatch } from "../../dist/index.js";
import { Deployment } from "../../dist/k8s/apps/v1.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const example = join(repository, "examples/memcached-operator");
const work = mkdtempSync(join(tmpdir(), "tsop-demo-"));
const project = join(work, "memcached-operator");
const fancy = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (fancy ? `\u001b[${code}m${text}\u001b[0m` : text);
const [bold, dim, green, red, cyan] = [1, 2, 32, 31, 36].map((code) => (text) => paint(code, text));

const Memcached = defineKind({
  group: "cache.example.com",
  version: "v1alpha1",
  kind: "Memcached",
  plural: "memcacheds",
});
const key = { namespace: "default", name: "memcached-sample" };
const spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
let operator;
const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
process.once("SIGTERM", () => stop.abort());

/** Runs one step and prints its duration. */
async function step(title, work) {
  stop.signal.throwIfAborted();
  const start = performance.now();
  const elapsed = () => ((performance.now() - start) / 1000).toFixed(1);
  let frame = 0;
  const spin = () =>
    process.stdout.write(`\r\u001b[K  ${cyan(spinner[frame++ % spinner.length])} ${title} ${dim(`${elapsed()} s`)}`);
  const spinning = fancy && setInterval(spin, 80);
  const details = await work().finally(() => {
    if (spinning) clearInterval(spinning);
    if (fancy) process.stdout.write("\r\u001b[K");
  });
  const seconds = elapsed();
  process.stdout.write(`  ${green("✓")} ${title} ${dim(`${seconds} s`)}\n`);
  for (const line of details ?? []) console.log(`      ${dim(line)}`);
}

/** Runs a command to its end; a failure shows its whole output. */
function run(program, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      // This checkout has just installed the same packages: npm need not ask the registry again.
      env: { ...process.env, NO_COLOR: "1", npm_config_prefer_offline: "true" },
      signal: stop.signal,
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    let failure;
    child.on("error", (error) => (failure = error)); // it still has to end after an interruption
    child.on("close", (code) =>
      code === 0
        ? resolve(output)
        : reject(failure ?? new Error(`${program} ${args.join(" ")} ended with ${code}:\n${output}`)),
    );
  });
}

const tsop = (...args) => run(process.execPath, [join(project, "node_modules/tsop/bin/tsop.js"), ...args], project);

/** Polls until the condition holds, for at most two minutes. */
async function until(what, ask) {
  const deadline = Date.now() + 120_000;
  for (;;) {
    stop.signal.throwIfAborted();
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`gave up waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Starts `tsop run --local` in the background; its output is kept for a failure. */
function startOperator() {
  const args = [join(project, "node_modules/tsop/bin/tsop.js"), "run", "--local", "--apply", "config/samples"];
  const child = spawn(process.execPath, args, {
    cwd: project,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, KUBECONFIG: "" },
  });
  operator = {
    child,
    output: "",
    ended: new Promise((resolve) => child.on("close", (code, signal) => resolve(code ?? signal))),
  };
  child.stdout.on("data", (chunk) => (operator.output += chunk));
  child.stderr.on("data", (chunk) => (operator.output += chunk));
}

async function demo() {
  console.log(`\n${bold("tsop: from an empty folder to a reconciled custom resource")}\n`);
  const begin = performance.now();

  await step("tsop init --domain example.com", async () => {
    mkdirSync(project);
    await run(process.execPath, [join(repository, "bin/tsop.js"), "init", "--domain", "example.com"], project);
  });
  await step("tsop create api --group cache --kind Memcached", () =>
    tsop("create", "api", "--group", "cache", "--kind", "Memcached").then(() => {}),
  );
  await step("write the types and the controller", async () => {
    const files = [
      "api/v1alpha1/memcached_types.ts",
      "controllers/memcached_controller.ts",
      "main.ts",
      "config/samples/cache_v1alpha1_memcached.yaml",
    ];
    for (const file of files) cpSync(join(example, file), join(project, file));
    return files;
  });
  await step("tsop generate manifests && tsop generate code", async () => {
    await tsop("generate", "manifests");
    await tsop("generate", "code");
    const crd = readFileSync(join(project, "config/crd/bases/cache.example.com_memcacheds.yaml"), "utf8");
    return [
      `config/crd/bases/cache.example.com_memcacheds.yaml, ${crd.split("\n").length} lines`,
      "config/rbac/role.yaml",
      "api/v1alpha1/zz_generated.kinds.ts",
    ];
  });

  let client;
  let reconciled;
  await step("tsop run --local --apply config/samples", async () => {
    const begin = performance.now();
    startOperator();
    const kubeconfig = join(project, ".tsop/kubeconfig");
    const ended = operator.ended.then((code) =>
      Promise.reject(new Error(`tsop run ended with ${code}:\n${operator.output}`)),
    );
    ended.catch(() => {}); // it also ends regularly at the end
    await Promise.race([ended, until("the kubeconfig is written", () => existsSync(kubeconfig))]);
    client = createClient({ config: await loadConfig({ kubeconfig }) });
    const deployment = await Promise.race([
      ended,
      until("the Deployment is available", () => availableWith(client, 3)),
    ]);
    reconciled = ((performance.now() - begin) / 1000).toFixed(1);
    return [`Deployment ${deployment.metadata.name}: ${deployment.status.availableReplicas}/3 available`];
  });
  await step("kubectl patch memcached memcached-sample: size 2", async () => {
    await client.patch(Memcached, key, mergePatch({ spec: { size: 2 } }));
    await until("two are available", () => availableWith(client, 2));
    const memcached = await until("the status has two nodes", async () => {
      const found = await client.get(Memcached, key);
      return found.status?.nodes?.length === 2 && found;
    });
    return memcached.status.nodes.map((node) => `status.nodes: ${node}`);
  });
  await step("kubectl patch memcached memcached-sample: size 5 is refused", async () => {
    const error = await client.patch(Memcached, key, mergePatch({ spec: { size: 5 } })).then(
      () => undefined,
      (error) => error,
    );
    if (!isInvalid(error)) throw new Error("size 5 should have been refused");
    return [error.message];
  });
  await step("kubectl delete memcached memcached-sample: its Deployment goes, too", async () => {
    await client.delete(Memcached, key);
    await until("the Deployment is deleted", () => client.get(Deployment, key).then(() => false, isNotFound));
  });
  await step("Ctrl-C", async () => {
    operator.child.kill("SIGINT");
    const code = await operator.ended;
    if (code !== 0) throw new Error(`tsop run ended with ${code}:\n${operator.output}`);
  });

  const total = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(`\n${bold(green("done"))} in ${total} s, with nothing but Node ${process.versions.node}`);
  console.log(dim(`three pods ${reconciled} s after "tsop run"; the folder is removed again\n`));
  console.log(
    `Start your own:  ${bold(`mkdir my-operator && cd my-operator && node ${join(repository, "bin/tsop.js")} init --domain example.com`)}\n`,
  );
}

async function availableWith(client, replicas) {
  const deployment = await client.getOrUndefined(Deployment, key);
  return deployment?.status?.availableReplicas === replicas && deployment.status.replicas === replicas && deployment;
}

try {
  await demo();
} catch (error) {
  process.exitCode = stop.signal.aborted ? 130 : 1;
  console.error(
    stop.signal.aborted ? "\ninterrupted" : `\n${red("✗")} ${error instanceof Error ? error.message : String(error)}`,
  );
} finally {
  operator?.child.kill("SIGTERM");
  await operator?.ended;
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}

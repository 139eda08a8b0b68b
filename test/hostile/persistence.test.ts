import { execFileSync, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { defineKind } from "../../src/apimachinery/kind.ts";
import { isInternalError } from "../../src/apimachinery/status.ts";
import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import type { ClientConfig } from "../../src/client/config/config.ts";
import { loadKubeconfig } from "../../src/client/config/kubeconfig-file.ts";
import { loadConfig } from "../../src/client/config/load-config.ts";
import { controllerManagedBy } from "../../src/runtime/builders/builder.ts";
import { zapLogger } from "../../src/runtime/log/zap-logger.ts";
import { createManager } from "../../src/runtime/manager/create-manager.ts";
import { freePorts } from "../../src/sandbox/webhooks/webhook-endpoint.ts";
import { LongRunning, repository, temporaryFolder, until } from "../e2e/shell.ts";
import { WriteHistory, type Written } from "./write-history.ts";

/** The number of times that the server is killed: a few in each run of the tests, TSOP_KILLS for a longer run. */
const kills = Number(process.env["TSOP_KILLS"] ?? 8);
const writers = 8;
const namespace = "default";
const ServiceAccount = defineKind({ group: "", version: "v1", kind: "ServiceAccount", plural: "serviceaccounts" });
const ConfigMap = defineKind<Written>({ group: "", version: "v1", kind: "ConfigMap", plural: "configmaps" });

interface TokenRequest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: object;
  readonly status?: { readonly token: string };
}

let folder: ReturnType<typeof temporaryFolder>;
let sandbox: LongRunning | undefined;
let port: number;
beforeEach(async () => {
  folder = temporaryFolder("persistence");
  [port = 0] = await freePorts(1);
});
afterEach(async () => {
  await sandbox?.stop("SIGKILL");
  folder.remove();
});

const stateFile = () => join(folder.path, "state/state.log");

/** Starts a server on the same port and folder; `wrap` is a command that runs it. */
async function start(flags: readonly string[] = [], wrap: readonly string[] = []): Promise<LongRunning> {
  const tsop = [process.execPath, join(repository, "bin/tsop.js"), "sandbox", "--simulate", "off"];
  const [program = "", ...args] = [...wrap, ...tsop, "--port", `${port}`, "--persist", "state", ...flags];
  sandbox = new LongRunning(program, [...args, "--kubeconfig", "kubeconfig"], { cwd: folder.path });
  await sandbox.prints(/kubectl: export KUBECONFIG/);
  return sandbox;
}

async function connect(): Promise<Client> {
  return createClient({ config: await loadConfig({ kubeconfig: join(folder.path, "kubeconfig") }) });
}

/** Creates, updates and deletes objects of its own until the server stops. */
async function write(client: Client, writer: number, history: WriteHistory): Promise<void> {
  // A large object every now and then lets the log be rewritten.
  const text = "x".repeat(writer === 0 ? 200_000 : 2_000);
  for (let turn = 0; ; turn++) {
    const name = `w${writer}-${randomInt(4)}`;
    const exists = history.contentOf(name) !== undefined;
    const isDeletion = exists && randomInt(4) === 0;
    const id = `${turn}-${randomInt(2 ** 40)}`;
    const object: Written = { metadata: { name, namespace }, data: { id, text } };
    try {
      await history.write(name, isDeletion ? undefined : id, async () => {
        if (isDeletion) return client.delete(ConfigMap, { name, namespace });
        return exists ? client.update(ConfigMap, object) : client.create(ConfigMap, object);
      });
    } catch (error) {
      if (isDisconnected(error)) return;
      throw error;
    }
  }
}

/** Notes the events of a watch until the server stops. */
async function watch(client: Client, resourceVersion: string, history: WriteHistory): Promise<void> {
  try {
    for await (const event of client.watch(ConfigMap, { namespace, resourceVersion }))
      if (event.type !== "BOOKMARK") history.event(event.type, event.object);
  } catch (error) {
    if (!isDisconnected(error)) throw error;
  }
}

/** Reports whether an error is one of the connection and not an answer of the server. */
function isDisconnected(error: unknown): boolean {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return /^(ECONN|EPIPE|UND_|TSOP_SERVER)/.test(code) || /closed|reset|refused|hang up|ended/.test(message);
}

const readAccess = (): Promise<ClientConfig> => loadKubeconfig([join(folder.path, "kubeconfig")], { required: true });

it(
  "keeps each answered write and each event when it is killed, and its clients go on",
  { timeout: 30_000 + kills * 3_000 },
  async () => {
    const history = new WriteHistory();
    let server = await start();
    const { webhookCertificate: _first, ...access } = await readAccess();
    // One client for all servers: neither their address nor their authority nor its token change.
    const client = await connect();
    for (let kill = 0; kill < kills; kill++) {
      const { metadata } = await client.list(ConfigMap, { namespace });
      const work = Array.from({ length: writers }, (_, writer) => write(client, writer, history));
      for (let watcher = 0; watcher < 2; watcher++) work.push(watch(client, metadata.resourceVersion ?? "", history));
      const done = Promise.all(work);
      const before = history.count;
      await until("some writes are answered", () => history.count > before + 20 || undefined);
      // Not a wait for a condition: the kill comes at any time.
      await after(randomInt(500));
      server.child.kill("SIGKILL");
      await server.ended;
      await done;
      server = await start();
      history.compare(await client.list(ConfigMap, { namespace }));
    }
    const { webhookCertificate: _last, ...lastAccess } = await readAccess();
    expect(lastAccess).toEqual(access);
    console.info(`${kills} kills, ${history.count} answered writes`);
  },
);

it("serves an operator and the token of a service account after a restart", async () => {
  const server = await start();
  const client = await connect();
  const config = await loadConfig({ kubeconfig: join(folder.path, "kubeconfig") });
  await client.create(ServiceAccount, { metadata: { name: "robot", namespace } });
  const request: TokenRequest = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const issued = await client.subResource("token").create(ServiceAccount, { name: "robot", namespace }, request);
  const robot = createClient({ config: { ...config, token: issued.status!.token } });
  const reconciled: string[] = [];
  const manager = await createManager(config, { logger: zapLogger({ write: () => {} }) });
  await controllerManagedBy(manager)
    .for(ConfigMap)
    .complete({ reconcile: async ({ name }) => void reconciled.push(name) });
  const stop = new AbortController();
  const ended = manager.start(stop.signal);
  await client.create(ConfigMap, { metadata: { name: "before", namespace } });
  await until("the operator reconciles", () => reconciled.includes("before") || undefined);

  server.child.kill("SIGKILL");
  await server.ended;
  await start();
  await client.create(ConfigMap, { metadata: { name: "after", namespace } });
  await until("the operator reconciles again", () => reconciled.includes("after") || undefined);
  const { items } = await robot.list(ConfigMap, { namespace });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["after", "before"]);
  stop.abort();
  await ended;
});

it("refuses a folder that another server uses", async () => {
  const first = await start();
  const [other = 0] = await freePorts(1);
  port = other;
  // With the file, the second server would be refused for its kubeconfig already.
  rmSync(join(folder.path, "kubeconfig"));
  await expect(start()).rejects.toThrow(`is in use by process ${first.child.pid}`);
  await first.stop("SIGKILL");
});

// A limit of the size of files stands for a full disk: both write a part of the record and fail.
const isLimitable = existsSync("/bin/bash") && spawnSync("prlimit", ["--version"]).status === 0;

it.runIf(isLimitable)("rejects writes while the disk is full, reports it once, and resumes later", async () => {
  const limit = ["/bin/bash", "-c", 'ulimit -S -f 600; exec "$@"', "--"];
  const server = await start([], limit);
  const client = await connect();
  const object = (index: number) => ({
    metadata: { name: `c-${index}`, namespace },
    data: { text: "x".repeat(100_000) },
  });
  const names = async () => (await client.list(ConfigMap, { namespace })).items.map(({ metadata }) => metadata.name);
  const created: string[] = [];
  const refusals: unknown[] = [];
  for (let index = 0; refusals.length < 3; index++)
    await client.create(ConfigMap, object(index)).then(
      ({ metadata }) => created.push(metadata.name ?? ""),
      (error: unknown) => refusals.push(error),
    );
  expect(refusals.filter((error) => !isInternalError(error))).toEqual([]);
  expect(String(refusals[0])).toContain(`${stateFile()} can't be written: the file may not become larger`);
  // What was refused is neither in the memory nor in the file, and what is small still fits.
  expect(await names()).toEqual(created);
  expect(statSync(stateFile()).size).toBeLessThan(600 * 1024);
  await client.create(ConfigMap, { metadata: { name: "small", namespace } });
  execFileSync("prlimit", ["--pid", `${server.child.pid}`, "--fsize=unlimited"]);
  await client.create(ConfigMap, object(99));
  const expected = await names();
  expect(expected).toHaveLength(created.length + 2);
  expect(server.output.match(/can't be written/g)).toHaveLength(1);
  await server.stop("SIGKILL");
  await start();
  expect(await names()).toEqual(expected);
});

it.runIf(isLimitable)("ends with the reason if the disk is full at the start, and releases the folder", () => {
  const limit = ["-c", 'ulimit -S -f 1; exec "$@"', "--", process.execPath, join(repository, "bin/tsop.js"), "sandbox"];
  const { status, stderr } = spawnSync("/bin/bash", [...limit, "--persist", "state", "--kubeconfig", "kubeconfig"], {
    cwd: folder.path,
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toContain(`${stateFile()} can't be written: the file may not become larger`);
  expect(readdirSync(join(folder.path, "state"))).toEqual(["authority.json"]);
});

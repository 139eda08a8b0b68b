import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Kind } from "../../src/apimachinery/kind.ts";
import type { UnstructuredObject } from "../../src/apimachinery/meta.ts";
import { loadConfig } from "../../src/client/config/load-config.ts";
import { createClient } from "../../src/client/create-client.ts";
import type { Client } from "../../src/client/client.ts";
import { mergePatch } from "../../src/client/patches.ts";
import { Lease } from "../../src/k8s/coordination/v1.ts";
import { Deployment } from "../../src/k8s/apps/v1.ts";
import { linkPackages, LongRunning, mustRun, repository, temporaryFolder, until } from "./shell.ts";

const names = ["memcached-operator-0", "memcached-operator-1", "memcached-operator-2"];
const count = 12;
const namespace = "default";
const shardLabel = "shard.alpha.sharding.timebertt.dev/ring";
const instance = "app.kubernetes.io/instance";

let folder: ReturnType<typeof temporaryFolder>;
let project: string;
let program: LongRunning;
let client: Client;
let memcacheds: Kind<UnstructuredObject>;

beforeEach(() => {
  folder = temporaryFolder("replicas");
  project = join(folder.path, "memcached-operator");
  const filter = (path: string): boolean => !path.includes("node_modules");
  cpSync(join(repository, "examples/memcached-operator"), project, { recursive: true, filter });
  linkPackages(project);
});
afterEach(async () => {
  await program.stop();
  folder.remove();
});

const tsop = (...args: string[]) => mustRun(join(project, "node_modules/.bin/tsop"), args, { cwd: project });

async function start(): Promise<void> {
  const args = ["run", "--local", "--replicas", "3", "--apply", "config/samples"];
  program = new LongRunning(join(project, "node_modules/.bin/tsop"), args, { cwd: project, group: true });
  await program.prints(/memcacheds\/memcached-sample created/);
  client = createClient({ config: await loadConfig({ kubeconfig: join(project, ".tsop/kubeconfig"), env: {} }) });
  memcacheds = await client.kindFor("cache.example.com/v1alpha1", "Memcached");
}

/** Returns the replicas to which the objects of a kind are assigned. */
async function shardsOf(kind: Kind<UnstructuredObject>): Promise<(string | undefined)[]> {
  return (await client.list(kind, { namespace })).items.map(({ metadata }) => metadata.labels?.[shardLabel]);
}

async function everyDeploymentIsReady(): Promise<true | undefined> {
  const { items } = await client.list(Deployment, { namespace, labels: instance });
  return (items.length === count && items.every(({ status }) => status?.readyReplicas === 1)) || undefined;
}

it("shares the objects among the replicas; those that remain take over when one stops", async () => {
  await tsop("edit", "--plugins", "sharding");
  await start();
  await client.deleteAllOf(memcacheds, { namespace });
  const spec = { size: 1 };
  for (let index = 0; index < count; index++) {
    await client.create(memcacheds, { metadata: { namespace, name: `m-${index}` }, spec });
  }
  await until("each Memcached has its Deployment", everyDeploymentIsReady);
  expect(new Set(await shardsOf(memcacheds))).toEqual(new Set(names));
  const deployments = Deployment as unknown as Kind<UnstructuredObject>;
  expect(new Set(await shardsOf(deployments))).toEqual(new Set(names));

  process.kill(await pidOf("memcached-operator-1"), "SIGTERM");
  await program.prints(/replica memcached-operator-1 ended \(exit code 0\); the others \(2\) take over its work/);
  const left = new Set(["memcached-operator-0", "memcached-operator-2"]);
  await until(
    "its objects have moved",
    async () => (await shardsOf(memcacheds)).every((shard) => left.has(shard ?? "")) || undefined,
  );
  for (let index = 0; index < count; index++) {
    await client.patch(memcacheds, { namespace, name: `m-${index}` }, mergePatch({ spec: { size: 2 } }));
  }
  await until("the others scale the Deployments", async () => {
    const { items } = await client.list(Deployment, { namespace, labels: instance });
    return items.every(({ spec: { replicas } }) => replicas === 2) || undefined;
  });
  const lease = await client.get(Lease, { namespace, name: "memcached-operator-1" });
  expect(lease.spec?.holderIdentity ?? "").toBe("");
});

it("elects a leader in a project without a ring", async () => {
  await start();
  await until(
    "the leader works",
    async () => (await client.list(Deployment, { namespace, labels: instance })).items[0],
  );
  const { items } = await client.list(Lease, { namespace });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["87a7d51f.example.com"]);
  const workers = new Set(program.output.match(/^\[\S+\](?=.*Starting workers)/gm));
  expect(workers.size).toBe(1);
});

/** Finds the process of a replica by its arguments. */
async function pidOf(name: string): Promise<number> {
  const processes = await mustRun("ps", ["-A", "-o", "pid=,args="], { cwd: project });
  return Number(new RegExp(`^ *(\\d+) .*--sharding-shard=${name}\\b`, "m").exec(processes)?.[1]);
}

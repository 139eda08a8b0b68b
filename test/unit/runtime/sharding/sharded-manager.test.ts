import { connect } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { defineKind, metadataOnly } from "../../../../src/apimachinery/kind.ts";
import { Deployment } from "../../../../src/k8s/apps/v1.ts";
import { ConfigMap, Namespace, Secret } from "../../../../src/k8s/core/v1.ts";
import { controllerManagedBy, type ControllerBuilder } from "../../../../src/runtime/builders/builder.ts";
import { Lease } from "../../../../src/runtime/leader-election/lease-object.ts";
import { createManager } from "../../../../src/runtime/manager/create-manager.ts";
import type { Manager, ManagerOptions } from "../../../../src/runtime/manager/manager.ts";
import { ControllerRing } from "../../../../src/runtime/sharding/controller-ring.ts";
import { admission } from "../../../../src/runtime/webhook/admission.ts";
import { TestEnvironment } from "../../../../src/testing/test-environment.ts";
import { managedServer } from "../managed-server.ts";
import { until } from "../until.ts";
import { createMap, installRing, namespace, ring, shardLabel } from "./ring.ts";

const { env, manager, start } = managedServer();
const sharding = { ring, shard: "a", namespace };
const leaderElection = { enabled: true, id: "leader", namespace, releaseOnCancel: true };
const reconciler = { reconcile: () => Promise.resolve() };

beforeAll(() => installRing(env));

async function lease(name: string): Promise<Lease | undefined> {
  return env.client.getOrUndefined(Lease, { namespace, name });
}

async function holds(name: string): Promise<boolean> {
  return !!(await lease(name))?.spec?.holderIdentity;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  }).finally(() => socket.destroy());
}

describe("a manager that is a shard", () => {
  it("holds the lease of the shard while it works, and releases it at its end", async () => {
    const { mgr, lines } = await manager({ sharding });
    await controllerManagedBy(mgr).for(ConfigMap).complete(reconciler);
    const { stop, done } = start(mgr);
    await until("the lease is held", () => holds("a"));
    const held = (await lease("a"))!;
    expect(held.metadata.labels).toEqual({ "alpha.sharding.timebertt.dev/controllerring": ring });
    expect(held.spec?.holderIdentity).toBe("a");
    stop.abort();
    expect(await done).toBeUndefined();
    expect((await lease("a"))?.spec?.holderIdentity).toBe("");
    expect(lines).toContainEqual(expect.objectContaining({ msg: "Working as a shard", ring, shard: "a" }));
    await expect(mgr.client.create(ConfigMap, { metadata: { namespace, name: "late" } })).rejects.toThrow("released");
  });

  it("caches the objects of the shard, and all of other kinds; the server has all", async () => {
    for (const shard of ["a", "b"]) {
      await createMap(env, `map-${shard}`, shard);
      const labels = { [shardLabel]: shard, color: shard === "a" ? "red" : "blue" };
      await env.client.create(Secret, { metadata: { namespace, name: `secret-${shard}`, labels } });
    }
    await env.client.create(Secret, { metadata: { namespace, name: "plain", labels: { [shardLabel]: "a" } } });
    const byKind = new Map([[Secret, { labels: { color: "red" } }]]);
    const { mgr } = await manager({ sharding, cache: { byKind } });
    mgr.indexField(ConfigMap, "name", ({ metadata }) => [metadata.name]);
    await controllerManagedBy(mgr).for(ConfigMap).complete(reconciler);
    start(mgr);
    await until("the cache is in sync", () => mgr.cache.hasStarted && mgr.cache.unsynced.length === 0);
    const names = async (list: Promise<{ items: readonly { metadata: { name: string } }[] }>): Promise<string[]> =>
      (await list).items.map(({ metadata }) => metadata.name).sort();
    const mine = { namespace, labels: shardLabel };
    expect(await names(mgr.client.list(ConfigMap, mine))).toEqual(["map-a"]);
    expect(await names(mgr.client.list(ConfigMap, { fields: { name: "map-b" } }))).toEqual([]);
    expect(await names(mgr.client.list(metadataOnly(ConfigMap), mine))).toEqual(["map-a"]);
    expect(await names(mgr.client.list(Secret))).toEqual(["secret-a"]);
    expect(await names(mgr.client.list(Namespace))).toContain("kube-system");
    expect(await names(mgr.apiReader.list(ConfigMap, mine))).toEqual(["map-a", "map-b"]);
  });

  it("reads the object that it has created at once if the sharder has labelled it", async () => {
    const { mgr } = await manager({ sharding });
    await controllerManagedBy(mgr).for(ConfigMap).complete(reconciler);
    start(mgr);
    await until("the cache is in sync", () => mgr.cache.hasStarted && mgr.cache.unsynced.length === 0);
    for (const name of ["first", "second"]) {
      await mgr.client.create(ConfigMap, { metadata: { namespace, name, labels: { [shardLabel]: "a" } } });
      expect(await mgr.client.getOrUndefined(ConfigMap, { namespace, name })).toBeDefined();
    }
  });

  it("does not work while another holds its lease, but serves webhooks", async () => {
    const now = "2030-01-01T00:00:00.000000Z";
    const spec = {
      holderIdentity: "shardlease-controller",
      leaseDurationSeconds: 30,
      renewTime: now,
      acquireTime: now,
    };
    await env.client.create(Lease, { metadata: { namespace, name: "taken" }, spec });
    await createMap(env, "waiting", "taken");
    const { mgr } = await manager({
      sharding: { ...sharding, shard: "taken" },
      webhook: env.webhooks,
    });
    const names: string[] = [];
    await controllerManagedBy(mgr)
      .for(ConfigMap)
      .complete({ reconcile: ({ name }) => Promise.resolve(void names.push(name)) });
    let ran = false;
    mgr.add({
      needLeaderElection: false,
      start: async () => {
        ran = true;
      },
    });
    mgr.webhookServer.register("/check", () => admission.allowed());
    start(mgr);
    await until("a runnable of each replica runs", () => ran);
    await until("the webhooks are served", () => accepts(env.webhooks.port));
    expect(names).toEqual([]);
    await env.client.delete(Lease, { metadata: { namespace, name: "taken" } });
    await until("it works", () => names.includes("waiting"));
  });

  it("ends if its lease is lost, and writes nothing after that", async () => {
    const times = { leaseDuration: 1000, renewDeadline: 600, retryPeriod: 100 };
    const { mgr } = await manager({ sharding: { ...sharding, shard: "lost", ...times } });
    await controllerManagedBy(mgr).for(ConfigMap).complete(reconciler);
    const { done } = start(mgr);
    await until("the lease is held", () => holds("lost"));
    await until("the sharder takes the lease", async () => {
      const current = (await lease("lost"))!;
      const spec = { ...current.spec, holderIdentity: "shardlease-controller", leaseDurationSeconds: 30 };
      return env.client.update(Lease, { ...current, spec }).then(
        () => true,
        () => false,
      );
    });
    expect(await done).toMatchObject({ code: "TSOP_SHARD_LOST" });
    await until("writes are rejected", async () => {
      const error: unknown = await mgr.client
        .create(ConfigMap, { metadata: { namespace, generateName: "late-" } })
        .catch((thrown: unknown) => thrown);
      return (error as { code?: string }).code === "TSOP_NOT_LEADING";
    });
  });
});

describe("work for one replica beside a shard", () => {
  const leaderOnly: [string, (mgr: Manager) => unknown][] = [
    ["a function", (mgr) => mgr.add(() => Promise.resolve())],
    ["a runnable", (mgr) => mgr.add({ start: () => Promise.resolve() })],
    ["a controller of another kind", (mgr) => controllerManagedBy(mgr).for(Namespace).complete(reconciler)],
  ];

  it.each(leaderOnly)("is rejected without leader election: %s", async (_title, add) => {
    const { mgr } = await manager({ sharding: { ...sharding, shard: "refused" } });
    await add(mgr);
    await expect(mgr.start(new AbortController().signal)).rejects.toMatchObject({ code: "TSOP_SHARD_WITHOUT_LEADER" });
    expect(await lease("refused")).toBeUndefined();
  });

  it("runs on the leader, while every shard works", async () => {
    const led: string[] = [];
    const worked: string[] = [];
    const shard = async (name: string): Promise<Manager> => {
      const { mgr } = await manager({ sharding: { ...sharding, shard: name }, leaderElection });
      await controllerManagedBy(mgr)
        .for(ConfigMap)
        .complete({ reconcile: (request) => Promise.resolve(void worked.push(`${name}/${request.name}`)) });
      mgr.add(() => Promise.resolve(void led.push(name)));
      return mgr;
    };
    await createMap(env, "one", "x");
    await createMap(env, "two", "y");
    const first = start(await shard("x"));
    await until("the first leads and works", () => led.includes("x") && worked.includes("x/one"));
    start(await shard("y"));
    await until("the second works", () => worked.includes("y/two"));
    expect(led).toEqual(["x"]);
    first.stop.abort();
    await until("the second leads", () => led.includes("y"));
  });

  it("needs no leader election if it runs on each replica", async () => {
    const { mgr } = await manager({ sharding: { ...sharding, shard: "each" } });
    const seen: string[] = [];
    await controllerManagedBy(mgr)
      .for(Namespace)
      .withOptions({ needLeaderElection: false })
      .complete({ reconcile: ({ name }) => Promise.resolve(void seen.push(name)) });
    start(mgr);
    await until("all objects are reconciled", () => seen.includes("kube-system"));
  });

  it("warns about the cost of an owned kind that the ring does not list", async () => {
    const { mgr, lines } = await manager({ sharding });
    await controllerManagedBy(mgr).for(ConfigMap).owns(Secret).owns(Namespace).complete(reconciler);
    const costs = lines.filter(({ msg }) => msg === "Each shard watches all objects of an owned kind");
    expect(costs).toMatchObject([{ kind: "Namespace", ring }]);
  });
});

describe("a controller whose objects are elsewhere", () => {
  const Ship = defineKind({ group: "example.com", version: "v1", kind: "Ship", plural: "ships", scope: "Cluster" });
  const Sail = defineKind({ group: "example.com", version: "v1", kind: "Sail", plural: "sails" });
  const resources = [
    { group: "example.com", resource: "ships", controlledResources: [{ group: "example.com", resource: "sails" }] },
    { group: "", resource: "configmaps", controlledResources: [{ group: "", resource: "secrets" }] },
    { group: "apps", resource: "deployments", controlledResources: [{ group: "", resource: "configmaps" }] },
  ];
  beforeAll(() => env.client.create(ControllerRing, { metadata: { name: "fleet" }, spec: { resources } }));

  it.each<[string, (mgr: Manager) => ControllerBuilder, RegExp]>([
    [
      "children that the ring lists, of an owner that it does not list",
      (mgr) => controllerManagedBy(mgr).for(Namespace).owns(Sail),
      /shares them out, but not Namespace/,
    ],
    [
      "children that are assigned by themselves",
      (mgr) => controllerManagedBy(mgr).for(Deployment).owns(ConfigMap),
      /by themselves, not with Deployment.apps/,
    ],
    [
      "namespaced children of a cluster-scoped owner",
      (mgr) => controllerManagedBy(mgr).for(Ship).owns(Sail),
      /Ship.example.com, which owns them, is cluster-scoped/,
    ],
    ["children as the objects to reconcile", (mgr) => controllerManagedBy(mgr).for(Secret), /lists it as a child/],
  ])("is rejected: %s", async (_title, build, reason) => {
    // prettier-ignore
    const { mgr } = await manager({ sharding: { ...sharding, ring: "fleet" }, leaderElection });
    const complete = async (): Promise<unknown> => build(mgr).complete(reconciler);
    const error: unknown = await complete().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "TSOP_RING_CHILD", message: expect.stringMatching(reason) });
  });

  it("is reported if the ring does not list its kind", async () => {
    const { mgr, lines } = await manager({ sharding: { ...sharding, ring: "fleet" }, leaderElection });
    await controllerManagedBy(mgr).for(Namespace).complete(reconciler);
    const msg = "The ring does not list the kind of a controller, which does not share its work";
    expect(lines).toContainEqual(expect.objectContaining({ msg, kind: "Namespace", ring: "fleet" }));
  });
});

describe("a shard that can't be set up", () => {
  it.each<[string, ManagerOptions["sharding"], string]>([
    ["a ring that does not exist", { ring: "absent", shard: "a" }, "TSOP_RING_MISSING"],
    ["a name that is no label", { ring, shard: "Not_A_Name" }, "TSOP_SHARD_NAME"],
  ])("has %s", async (_title, options, code) => {
    await expect(createManager(env.config, { sharding: options })).rejects.toMatchObject({ code });
  });

  it("has no sharder, whose installation defines the kind of rings", async () => {
    const bare = new TestEnvironment({ env: {} });
    await bare.start();
    await expect(createManager(bare.config, { sharding: { ring, shard: "a" } })).rejects.toMatchObject({
      code: "TSOP_RING_MISSING",
    });
    await bare.stop();
  });

  it("may not read its ring", async () => {
    const secured = new TestEnvironment({ env: {}, rbac: true });
    await secured.start();
    const config = secured.addUser({ username: "without-rights", groups: [] });
    await expect(createManager(config, { sharding: { ring, shard: "a" } })).rejects.toMatchObject({
      code: "TSOP_RING_FORBIDDEN",
    });
    await secured.stop();
  });

  it.each([undefined, {}, { ring: "" }, { ring: undefined, shard: "a" }])(
    "is not a shard without a ring: %j",
    async (none) => {
      const { mgr } = await manager({ sharding: none });
      expect(mgr.sharding).toBeUndefined();
    },
  );
});

import { describe, expect, it } from "vitest";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import { ConfigMap, Event, Secret } from "../../../../src/k8s/core/v1.ts";
import { controllerManagedBy } from "../../../../src/runtime/builders/builder.ts";
import { enqueueFromMap } from "../../../../src/runtime/controller/handlers.ts";
import { startHttpServer } from "../../../../src/runtime/servers/http-server.ts";
import { Lease } from "../../../../src/runtime/leader-election/lease-object.ts";
import type { Manager } from "../../../../src/runtime/manager/manager.ts";
import { managedServer } from "../managed-server.ts";
import { until } from "../until.ts";

const Missing = defineKind({ group: "example.com", version: "v1", kind: "Missing", plural: "missings" });
const namespace = "default";

const { env, manager, start } = managedServer();

describe("a manager with a controller", () => {
  it("watches other kinds with a map function, behind predicates", async () => {
    const { mgr } = await manager();
    const names: string[] = [];
    const toOwner = enqueueFromMap<Secret>((secret) =>
      Promise.resolve([{ namespace, name: `for-${secret.metadata.name}` }]),
    );
    await controllerManagedBy(mgr)
      .for(ConfigMap)
      .watches(Secret, toOwner, { predicates: [{ create: ({ object }) => object.metadata.name !== "ignored" }] })
      .withEventFilter({ create: ({ object }) => object.metadata.name !== "filtered" })
      .complete({ reconcile: (req) => Promise.resolve(void names.push(req.name)) });
    start(mgr);
    await mgr.elected;
    for (const name of ["ignored", "filtered", "seen"])
      await env.client.create(Secret, { metadata: { namespace, name } });
    await env.client.create(ConfigMap, { metadata: { namespace, name: "filtered" } });
    await env.client.create(ConfigMap, { metadata: { namespace, name: "seen-too" } });
    await until("both", () => names.includes("for-seen") && names.includes("seen-too"));
    // The server's own kube-root-ca ConfigMaps can be present as well.
    expect(names.filter((name) => /filtered|ignored/.test(name))).toEqual([]);
  });

  it("logs and counts with the name of the controller", async () => {
    const { mgr, lines } = await manager({ metrics: { bindAddress: "127.0.0.1:0" } });
    await controllerManagedBy(mgr)
      .for(ConfigMap)
      .named("fields")
      .complete({ reconcile: () => Promise.reject(new Error("always")) });
    await env.client.create(ConfigMap, { metadata: { namespace, name: "one" } });
    start(mgr);
    const error = () => lines.find((line) => line["msg"] === "Reconciler error" && line["name"] === "one");
    await until("the error's line", () => error() !== undefined);
    expect(error()).toMatchObject({
      level: "error",
      controller: "fields",
      controllerGroup: "",
      controllerKind: "ConfigMap",
      ConfigMap: { name: "one", namespace },
      namespace,
      name: "one",
      reconcileID: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      error: "always",
    });
    const { bindAddress } = lines.find((line) => line["msg"] === "Serving metrics server") as { bindAddress: string };
    const text = await (await fetch(`http://${bindAddress}/metrics`)).text();
    expect(text).toMatch(/^controller_runtime_reconcile_errors_total\{controller="fields"\} [1-9]/m);
    expect(text).toMatch(/^controller_runtime_reconcile_total\{controller="fields",result="success"\} 0$/m);
    expect(text).toMatch(/^workqueue_retries_total\{name="fields",controller="fields"\} [1-9]/m);
    expect(text).toMatch(/^rest_client_requests_total\{code="200",method="GET",host="127\.0\.0\.1:\d+"\} [1-9]/m);
    expect(text).toMatch(/^controller_runtime_reconcile_time_seconds_bucket\{le="0\.005",controller="fields"\} \d+$/m);
    expect((await fetch(`http://${bindAddress}/other`)).status).toBe(404);
  });

  it("names the kind that is not served when it times out", async () => {
    const { mgr } = await manager({ controller: { cacheSyncTimeout: 2_000 } });
    await controllerManagedBy(mgr)
      .for(Missing)
      .complete({ reconcile: () => Promise.resolve() });
    const error = await start(mgr).done;
    expect(error).toMatchObject({ code: "TSOP_CACHE_NOT_SYNCED" });
    expect((error as Error).message).toMatch(/Missing\.example\.com within 2 s: the API server does not serve Missing/);
  });

  it.each<[string, (mgr: Manager) => Promise<unknown>, string]>([
    ["nothing to watch", (mgr) => controllerManagedBy(mgr).named("a").complete(never), "it watches nothing"],
    ["neither kind nor name", (mgr) => controllerManagedBy(mgr).complete(never), "neither for() nor named()"],
    ["owned kinds but no primary kind", (mgr) => controllerManagedBy(mgr).named("a").owns(Secret).complete(never), "owns() needs for()"],
    ["two primary kinds", async (mgr) => controllerManagedBy(mgr).for(Secret).for(Secret).complete(never), "twice"],
    ["the name of another one", async (mgr) => {
      await controllerManagedBy(mgr).for(Secret).complete(never);
      return controllerManagedBy(mgr).for(ConfigMap).named("secret").complete(never);
    }, 'two controllers have the name "secret"'],
  ])("rejects a controller with %s", async (_name, build, message) => {
    const { mgr } = await manager();
    await expect(build(mgr)).rejects.toThrow(message);
  }); // prettier-ignore
});

const never = { reconcile: () => Promise.resolve() };

describe("the life cycle of a manager", () => {
  const order: string[] = [];
  const runnable = (name: string, needLeaderElection: boolean) => ({
    needLeaderElection,
    async start(signal: AbortSignal): Promise<void> {
      order.push(`${name} starts`);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      order.push(`${name} stops`);
    },
  });

  it("starts runnables that need no leader first, and stops them first", async () => {
    order.length = 0;
    const { mgr } = await manager();
    mgr.add(runnable("leader", true));
    mgr.add(runnable("other", false));
    const { stop, done } = start(mgr);
    await mgr.elected;
    await until("both", () => order.length === 2);
    mgr.add(runnable("late", true));
    expect(order).toEqual(["other starts", "leader starts", "late starts"]);
    stop.abort();
    expect(await done).toBeUndefined();
    expect(order.slice(3)).toEqual(["other stops", "leader stops", "late stops"]);
    expect(() => mgr.add(runnable("too late", true))).toThrow("added while the manager stops");
  });

  it("waits for a reconcile and its cache before it ends", async () => {
    const { mgr } = await manager();
    let finished = "";
    await controllerManagedBy(mgr)
      .for(ConfigMap)
      .complete({
        async reconcile(req, { signal }) {
          if (req.name !== "slow") return;
          stop.abort();
          await until("the abort", () => signal.aborted);
          finished = (await mgr.client.get(ConfigMap, req)).metadata.name ?? "";
        },
      });
    await env.client.create(ConfigMap, { metadata: { namespace, name: "slow" } });
    const { stop, done } = start(mgr);
    expect(await done).toBeUndefined();
    expect(finished).toBe("slow");
  });

  it("ends with the error of a runnable after the others have stopped", async () => {
    order.length = 0;
    const { mgr } = await manager();
    mgr.add(runnable("healthy", false));
    mgr.add(() => Promise.reject(new Error("broken")));
    expect(await start(mgr).done).toMatchObject({ message: "broken" });
    expect(order).toEqual(["healthy starts", "healthy stops"]);
  });

  it("limits the wait for a runnable that does not stop, and names it", async () => {
    const { mgr } = await manager({ gracefulShutdownTimeout: 2_000 });
    mgr.add(() => new Promise<void>(() => undefined));
    const { stop, done } = start(mgr);
    await mgr.elected;
    stop.abort();
    expect(await done).toMatchObject({
      message: "not all runnables ended within the grace period of 2 s: leader election runnables",
    });
  });

  it("rejects a second start", async () => {
    const { mgr } = await manager();
    start(mgr);
    await expect(mgr.start(new AbortController().signal)).rejects.toMatchObject({ code: "TSOP_MANAGER_STARTED" });
    expect(() => mgr.addHealthzCheck("late")).toThrow("after the manager was started");
  });

  it("serves probes while it runs", async () => {
    const { port } = await freePort();
    const { mgr } = await manager({ healthProbeBindAddress: `127.0.0.1:${port}` });
    mgr.addHealthzCheck("healthz");
    mgr.addReadyzCheck("broken", () => Promise.reject(new Error("no")));
    const { stop, done } = start(mgr);
    await mgr.elected;
    const ask = async (path: string): Promise<number> => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    expect([await ask("/healthz"), await ask("/readyz")]).toEqual([200, 500]);
    stop.abort();
    await done;
    await expect(ask("/healthz")).rejects.toThrow();
  });

  it("closes its open ports if a later port is in use", async () => {
    const taken = await startHttpServer({ what: "x", flag: "--x", address: "127.0.0.1:0", handler: () => undefined });
    const { port } = await freePort();
    const { mgr } = await manager({
      healthProbeBindAddress: `127.0.0.1:${port}`,
      pprofBindAddress: `127.0.0.1:${taken.port}`,
    });
    mgr.addHealthzCheck("healthz");
    expect(await start(mgr).done).toMatchObject({ code: "TSOP_BIND_FAILED" });
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
    await taken.close();
  });

  it("starts no reader if it is stopped before its caches are in sync", async () => {
    const { mgr } = await manager();
    const began: string[] = [];
    mgr.add({
      start: (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
      waitForSync: (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(false))),
    });
    mgr.add({ needLeaderElection: false, start: async () => void began.push("other") });
    mgr.add(async () => void began.push("leader"));
    mgr.add({ start: async () => undefined, warmUp: async () => void began.push("warm-up") });
    const { stop, done } = start(mgr);
    setImmediate(() => stop.abort());
    expect(await done).toBeUndefined();
    expect(began).toEqual([]);
  });

  it("reports the old and the new leader in events, even during the shutdown", async () => {
    const leaderElection = { enabled: true, id: "told.example.com", namespace };
    const { mgr } = await manager({ leaderElection });
    const { stop, done } = start(mgr);
    await mgr.elected;
    stop.abort();
    expect(await done).toBeUndefined();
    const { items } = await env.client.list(Event, { namespace });
    const told = items.filter(({ involvedObject }) => involvedObject.name === "told.example.com");
    expect(told.map(({ message }) => message?.replace(/^\S+_[0-9a-f-]{36} /, "")).toSorted()).toEqual([
      "became leader",
      "stopped leading",
    ]);
    for (const { involvedObject, reason, type, source } of told) {
      expect(involvedObject).toMatchObject({ kind: "Lease", apiVersion: "coordination.k8s.io/v1", namespace });
      expect({ reason, type }).toEqual({ reason: "LeaderElection", type: "Normal" });
      expect(source?.component).toMatch(/^\S+_[0-9a-f-]{36}$/);
    }
  });

  it("leads only while it holds the lease, and hands it over at the end", async () => {
    const leaderElection = {
      enabled: true,
      id: "test.example.com",
      namespace,
      releaseOnCancel: true,
      leaseDuration: 60_000,
      renewDeadline: 40_000,
      retryPeriod: 50,
    };
    const [first, second] = [await manager({ leaderElection }), await manager({ leaderElection })];
    order.length = 0;
    first.mgr.add(runnable("first", true));
    second.mgr.add(runnable("second", true));
    const one = start(first.mgr);
    await first.mgr.elected;
    start(second.mgr);
    await until("the second candidate", () =>
      second.lines.some(({ msg }) => msg === "Attempting to acquire leader lease..."),
    );
    expect(order).toEqual(["first starts"]);
    const lease = await env.client.get(Lease, { namespace, name: leaderElection.id });
    one.stop.abort();
    await one.done;
    const released = await env.client.get(Lease, { namespace, name: leaderElection.id });
    expect(released.spec?.holderIdentity).not.toBe(lease.spec?.holderIdentity);
    await second.mgr.elected;
    expect(order).toEqual(["first starts", "first stops", "second starts"]);
  });

  it("ends without a wait after it loses the lease", async () => {
    const times = { leaseDuration: 3_000, renewDeadline: 2_000, retryPeriod: 100 };
    const leaderElection = { enabled: true, id: "lost.example.com", namespace, ...times };
    const { mgr } = await manager({ leaderElection, gracefulShutdownTimeout: -1 });
    mgr.add(() => new Promise(() => undefined));
    const { done } = start(mgr);
    await mgr.elected;
    const restore = env.inject({ verbs: ["update", "get"], resource: "leases", reason: "Forbidden" });
    try {
      expect(await done).toMatchObject({ code: "TSOP_LEADERSHIP_LOST" });
    } finally {
      restore();
    }
  });

  it("stops its candidacy on a failure", async () => {
    const leaderElection = {
      enabled: true,
      id: "failing.example.com",
      namespace,
      releaseOnCancel: true,
      leaseDuration: 60_000,
      renewDeadline: 40_000,
      retryPeriod: 20,
    };
    const [first, failing, third] = [
      await manager({ leaderElection }),
      await manager({ leaderElection }),
      await manager({ leaderElection: { ...leaderElection, retryPeriod: 300 } }),
    ];
    const one = start(first.mgr);
    await first.mgr.elected;
    let fail: (error: Error) => void = () => undefined;
    failing.mgr.add({ needLeaderElection: false, start: () => new Promise((_resolve, reject) => (fail = reject)) });
    const two = start(failing.mgr);
    await until("the candidate", () =>
      failing.lines.some(({ msg }) => msg === "Attempting to acquire leader lease..."),
    );
    fail(new Error("broken"));
    expect(await two.done).toMatchObject({ message: "broken" });
    start(third.mgr);
    one.stop.abort();
    await one.done;
    await third.mgr.elected;
    expect(failing.lines.filter(({ msg }) => msg === "Successfully acquired lease")).toEqual([]);
  });

  it("requires an identifier to elect a leader", async () => {
    await expect(manager({ leaderElection: { enabled: true } })).rejects.toThrow("leader election needs an id");
  });
});

async function freePort(): Promise<{ port: number }> {
  const server = await startHttpServer({ what: "x", flag: "--x", address: "127.0.0.1:0", handler: () => undefined });
  await server.close();
  return { port: server.port };
}

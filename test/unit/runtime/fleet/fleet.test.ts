import { describe, expect, it } from "vitest";
import { SelfSubjectReview } from "../../../../src/k8s/authentication/v1.ts";
import { ConfigMap } from "../../../../src/k8s/core/v1.ts";
import { controllerManagedBy } from "../../../../src/runtime/builders/builder.ts";
import type { Manager } from "../../../../src/runtime/manager/manager.ts";
import { settle } from "../../../../src/testing/manual-clock.ts";
import { until } from "../until.ts";
import { configMap, fleetFixture, has, setUpCopies } from "./fleet-fixture.ts";
import { SwitchProxy } from "./switch-proxy.ts";

const { servers, make } = fleetFixture();
const { hub, east, west } = servers;

const served = { metrics: { bindAddress: "127.0.0.1:0" } };

/** Returns the number of complete lists of ConfigMaps in a cluster. */
async function lists(mgr: Manager, cluster: string): Promise<number> {
  const text = await (await mgr.metrics!.registry()).metrics();
  const line = new RegExp(`^tsop_reflector_lists_total{kind="ConfigMap",cluster="${cluster}"} (\\d+)`, "m");
  return Number(line.exec(text)?.[1]);
}

describe("a controller for each cluster", () => {
  it("runs in clusters that join before and after the start, and not in the hub", async () => {
    const { fleet, join, start } = await make();
    const names: string[] = [];
    fleet.forEachCluster((mgr, name) => {
      names.push(name);
      return setUpCopies(mgr);
    });
    for (const { client } of [hub, east, west]) await client.create(ConfigMap, configMap("in-a"));
    join("east", east.config);
    start();
    await until("a copy in the first cluster", () => has(east, "out-a"));
    expect(fleet.clusters).toEqual(["east"]);
    join("west", west.config);
    await until("a copy in the second cluster", () => has(west, "out-a"));
    expect(await has(hub, "out-a")).toBe(false);
    expect(names).toEqual(["east", "west"]);
  });

  it("stops when its cluster leaves, and starts again when it joins again", async () => {
    const { fleet, join, leave, start } = await make();
    let signal: AbortSignal | undefined;
    let ended = false;
    fleet.forEachCluster((mgr) => {
      mgr.add(async (stopped) => {
        signal = stopped;
        await new Promise((resolve) => stopped.addEventListener("abort", resolve));
        ended = true;
      });
      return setUpCopies(mgr);
    });
    join("east", east.config);
    start();
    await east.client.create(ConfigMap, configMap("in-a"));
    await until("a copy", () => has(east, "out-a"));
    const { client } = fleet.cluster("east");
    leave("east");
    await until("the end of what was added", () => ended);
    expect(signal?.aborted).toBe(true);
    await until("the cluster has left", () => fleet.clusters.length === 0);
    await expect(client.create(ConfigMap, configMap("late"))).rejects.toThrow("it has left the fleet");
    expect(() => fleet.cluster("east")).toThrow(expect.objectContaining({ code: "TSOP_FLEET_CLUSTER_UNKNOWN" }));
    await east.client.create(ConfigMap, configMap("in-b"));
    join("east", east.config);
    await until("a copy of what was created meanwhile", () => has(east, "out-b"));
  });

  it("restarts alone if what it added fails", async () => {
    const { fleet, join, start, lines } = await make();
    let attempts = 0;
    fleet.forEachCluster((mgr) => {
      if (mgr.config.server === east.config.server && ++attempts === 1) {
        mgr.add(() => Promise.reject(new Error("out of order")));
      }
      return setUpCopies(mgr);
    });
    join("east", east.config);
    join("west", west.config);
    start();
    for (const { client } of [east, west]) await client.create(ConfigMap, configMap("in-a"));
    await until("copies in both", async () => (await has(west, "out-a")) && (await has(east, "out-a")));
    expect(attempts).toBe(2);
    const failures = lines.filter(({ msg }) => msg === "The work of the cluster failed, and is started again");
    expect(failures).toEqual([expect.objectContaining({ cluster: "east", error: "out of order" })]);
  });

  it("rejects checks and a start, which belong to the hub", async () => {
    const { fleet, join, start } = await make();
    const codes: unknown[] = [];
    fleet.forEachCluster(async (mgr) => {
      const calls = [() => mgr.addReadyzCheck("a"), () => mgr.addHealthzCheck("a"), () => mgr.addMetricsServerExtraHandler("/a", () => undefined)]; // prettier-ignore
      for (const call of calls) {
        try {
          call();
        } catch (error) {
          codes.push((error as { code: string }).code);
        }
      }
      codes.push(await mgr.start(new AbortController().signal).catch((error: { code: string }) => error.code));
    });
    join("east", east.config);
    start();
    await until("the calls", () => codes.length === 4);
    expect(new Set(codes)).toEqual(new Set(["TSOP_FLEET_HUB_ONLY"]));
  });
});

describe("a cluster that is away", () => {
  it.each(["refuse", "swallow"] as const)("(%s) delays neither the start nor others, and joins later", async (how) => {
    const { fleet, join, start, lines } = await make({ connectTimeout: 300 });
    const proxy = new SwitchProxy(west.config);
    const away = await proxy.start(west.config);
    await proxy[how]();
    fleet.forEachCluster(setUpCopies);
    for (const { client } of [east, west]) await client.create(ConfigMap, configMap("in-a"));
    join("west", away);
    join("east", east.config);
    start();
    await until("a copy in the cluster that answers", () => has(east, "out-a"));
    await until("a line", () => lines.some(({ msg, cluster }) => msg === "The cluster is away" && cluster === "west"));
    const { client, isReachable } = fleet.cluster("west");
    expect(isReachable).toBe(false);
    await expect(client.create(ConfigMap, configMap("x"))).rejects.toMatchObject({ code: "TSOP_FLEET_CLUSTER_AWAY" });
    await proxy.pass();
    await until("a copy after the return", () => has(west, "out-a"));
    await proxy.refuse();
  });

  it.each(["refuse", "swallow"] as const)(
    "(%s) fails its requests soon, and continues its watches on return",
    async (how) => {
      const { fleet, join, start } = await make({ connectTimeout: 300 });
      const proxy = new SwitchProxy(west.config);
      join("west", await proxy.start(west.config));
      fleet.forEachCluster(setUpCopies);
      start();
      await west.client.create(ConfigMap, configMap("in-a"));
      await until("a copy", () => has(west, "out-a"));
      await proxy[how]();
      const { client } = fleet.cluster("west");
      const begin = performance.now();
      await until("an error that names the cluster", async () => {
        const error: unknown = await client.create(ConfigMap, configMap("x")).catch((thrown: unknown) => thrown);
        return (error as { code?: string }).code === "TSOP_FLEET_CLUSTER_AWAY";
      });
      // A request of its own would wait for 30 or 90 seconds.
      expect(performance.now() - begin).toBeLessThan(15_000);
      await west.client.create(ConfigMap, configMap("in-b"));
      await proxy.pass();
      await until("a copy of what was created meanwhile", () => has(west, "out-b"));
      await proxy.refuse();
    },
  );

  it("makes requests wait without errors, however long it is away", async () => {
    const { fleet, join, start, lines } = await make({ connectTimeout: 300 });
    const proxy = new SwitchProxy(west.config);
    join("west", await proxy.start(west.config));
    let calls = 0;
    fleet.forEachCluster((mgr) =>
      controllerManagedBy(mgr)
        .for(ConfigMap)
        .complete({
          async reconcile({ namespace, name }, { signal }) {
            if (name !== "due") return;
            calls++;
            await mgr.apiReader.get(ConfigMap, { namespace: namespace!, name }, { signal });
            return { requeueAfter: 20 };
          },
        }),
    );
    start();
    await west.client.create(ConfigMap, configMap("due"));
    await until("some rounds", () => calls > 3);
    await proxy.swallow();
    await until("the line", () => lines.some(({ msg }) => msg === "The cluster is away"));
    await settle();
    const before = calls;
    await until("no connection", () => proxy.sockets.size === 0);
    await until("another look", () => proxy.sockets.size > 0);
    expect(calls).toBe(before);
    await proxy.pass();
    await until("more rounds", () => calls > before + 3);
    expect(lines.filter(({ msg }) => msg === "Reconciler error")).toEqual([]);
    await proxy.refuse();
  });
});

describe("a changed configuration", () => {
  it("is used from the next request on, without another list, if the server is the same", async () => {
    const { mgr, fleet, join, start, lines } = await make({}, served);
    const [before, after] = ["before", "after"].map((username) =>
      east.addUser({ username, groups: ["system:masters"] }),
    );
    join("east", before!);
    fleet.forEachCluster(setUpCopies);
    start();
    await east.client.create(ConfigMap, configMap("in-a"));
    await until("a copy", () => has(east, "out-a"));
    const { cache, client } = fleet.cluster("east");
    const userOf = async () => (await client.create(SelfSubjectReview, { metadata: {} })).status?.userInfo?.username;
    expect(await userOf()).toBe("before");
    join("east", after!);
    await until("the change", () => lines.some(({ msg }) => msg === "The credentials of the cluster have changed"));
    expect(await userOf()).toBe("after");
    expect(fleet.cluster("east").cache).toBe(cache);
    expect(await lists(mgr, "east")).toBe(1);
    await client.create(ConfigMap, configMap("in-b"));
    await until("a copy", () => has(east, "out-b"));
    expect(await lists(mgr, "east")).toBe(1);
    expect(fleet.cluster("east").config).toEqual(after);
    expect(lines.filter(({ msg }) => msg === "The cluster has joined the fleet")).toHaveLength(1);
  });

  it("makes the cluster wait for others if its credentials are rejected", async () => {
    const { fleet, join, start, lines } = await make();
    fleet.forEachCluster(setUpCopies);
    await east.client.create(ConfigMap, configMap("in-a"));
    join("east", { ...east.config, token: "wrong" });
    start();
    await until("a line", () => lines.some(({ error }) => /rejects the credentials \(401\)/.test(String(error))));
    join("east", east.config);
    await until("a copy", () => has(east, "out-a"));
  });

  it("affects only its cluster if it is unusable", async () => {
    const { mgr, fleet, join, start, lines } = await make({}, served);
    fleet.forEachCluster(setUpCopies);
    await east.client.create(ConfigMap, configMap("in-a"));
    join("odd", { ...west.config, proxyUrl: "ftp://proxy.example.com" });
    join("east", east.config);
    start();
    await until("a copy", () => has(east, "out-a"));
    expect(lines).toContainEqual(expect.objectContaining({ cluster: "odd", error: expect.stringContaining("ftp://") }));
    expect(await (await mgr.metrics!.registry()).metrics()).not.toContain('cluster="odd"');
  });

  it("replaces the cluster if the server is another one", async () => {
    const { fleet, join, start } = await make();
    join("one", east.config);
    fleet.forEachCluster(setUpCopies);
    start();
    await east.client.create(ConfigMap, configMap("in-a"));
    await until("a copy", () => has(east, "out-a"));
    const { cache } = fleet.cluster("one");
    await west.client.create(ConfigMap, configMap("in-b"));
    join("one", west.config);
    await until("a copy in the other", () => has(west, "out-b"));
    expect(fleet.cluster("one").cache).not.toBe(cache);
    await east.client.create(ConfigMap, configMap("in-c"));
    await west.client.create(ConfigMap, configMap("in-d"));
    await until("a copy in the other", () => has(west, "out-d"));
    expect(await has(east, "out-c")).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { ConfigMap } from "../../../../src/k8s/core/v1.ts";
import type { Controller } from "../../../../src/runtime/controller/controller.ts";
import { enqueueForObject } from "../../../../src/runtime/controller/handlers.ts";
import { labelSelectorPredicate } from "../../../../src/runtime/controller/predicates.ts";
import { fleetControllerManagedBy, type FleetRequest } from "../../../../src/runtime/fleet/fleet-controller-builder.ts";
import type { RunningFleet } from "../../../../src/runtime/fleet/fleet.ts";
import { until } from "../until.ts";
import { configMap, fleetFixture } from "./fleet-fixture.ts";
import { SwitchProxy } from "./switch-proxy.ts";

const { servers, make } = fleetFixture();
const { hub, east, west } = servers;
const spread = { labels: { spread: "yes" } };
const served = { metrics: { bindAddress: "127.0.0.1:0" } };

/** A ConfigMap of the hub that goes to all clusters. */
function spreadMap(name: string, value: string): ConfigMap {
  const { metadata } = configMap(name);
  return { metadata: { ...metadata, ...spread }, data: { value } };
}

const valueIn = async (server: typeof hub, name: string): Promise<string | undefined> =>
  (await server.client.getOrUndefined(ConfigMap, { namespace: "default", name }))?.data?.["value"];

describe("a controller of a fleet", () => {
  it("gets the objects of each cluster with its name, from one queue", async () => {
    const { mgr, fleet, join, start } = await make();
    const seen: FleetRequest[] = [];
    await fleetControllerManagedBy(fleet)
      .for(ConfigMap)
      .complete({
        async reconcile(request, ctx) {
          const { cluster, ...key } = request;
          const found = await fleet.cluster(cluster).client.getOrUndefined(ConfigMap, key, { signal: ctx.signal });
          if (found?.data?.["value"] === cluster) seen.push(request);
        },
      });
    for (const [name, { client }] of Object.entries(servers)) {
      await client.create(ConfigMap, { ...configMap("same"), data: { value: name } });
    }
    join("east", east.config);
    start();
    await until("the object of the first cluster", () => seen.length === 1);
    join("west", west.config);
    await until("that of the second", () => seen.length === 2);
    const key = { namespace: "default", name: "same" };
    expect(seen).toEqual([{ cluster: "east", ...key }, { cluster: "west", ...key }]); // prettier-ignore
    expect(mgr.cache.hasStarted).toBe(true);
  });

  it("ends in all clusters when it is stopped, with its watches and metrics", async () => {
    const { mgr, fleet, join, start } = await make({}, served);
    const seen: string[] = [];
    const add = (): Promise<Controller<FleetRequest>> =>
      fleetControllerManagedBy(fleet)
        .for(ConfigMap)
        .named("stopped")
        .complete({ reconcile: async ({ cluster, name }) => void seen.push(`${cluster} ${name}`) });
    const series = async (): Promise<string[]> =>
      (await (await mgr.metrics!.registry()).metrics()).split("\n").filter((line) => line.includes('"stopped"'));
    const controller = await add();
    join("east", east.config);
    start();
    await east.client.create(ConfigMap, configMap("one"));
    await until("a reconcile", () => seen.includes("east one"));
    const { cache } = (fleet as RunningFleet).find("east")!.manager;
    const watched = cache.informer(ConfigMap);
    expect(await series()).not.toEqual([]);

    await controller.stop();
    expect(await series()).toEqual([]);
    expect(cache.informer(ConfigMap)).not.toBe(watched);
    join("west", west.config);
    await west.client.create(ConfigMap, configMap("two"));
    await add();
    await until("a reconcile of the next one", () => seen.includes("west two"));
    expect(seen.filter((each) => each === "west two")).toHaveLength(1);
  });

  it("spreads objects of the hub to clusters, those that join later included", async () => {
    const { mgr, fleet, join, start } = await make();
    const selected = labelSelectorPredicate({ matchLabels: spread.labels });
    await fleetControllerManagedBy(fleet)
      .named("spread")
      .watchesHub(ConfigMap, enqueueForObject(), { predicates: [selected] })
      .watches(ConfigMap, enqueueForObject(), { predicates: [selected] })
      .complete({
        async reconcile({ cluster, ...key }) {
          const wanted = await mgr.client.getOrUndefined(ConfigMap, key);
          const { client } = fleet.cluster(cluster);
          if (!wanted) return client.delete(ConfigMap, key);
          const { data = {} } = wanted;
          await client.apply(
            ConfigMap,
            { metadata: { ...key, ...spread }, data },
            { fieldOwner: "spread", force: true },
          );
        },
      });
    await hub.client.create(ConfigMap, spreadMap("a", "1"));
    join("east", east.config);
    start();
    await until("the first cluster", async () => (await valueIn(east, "a")) === "1");
    join("west", west.config);
    await until("the second cluster", async () => (await valueIn(west, "a")) === "1");
    await hub.client.update(ConfigMap, spreadMap("a", "2"));
    await until("the change", async () => (await valueIn(east, "a")) === "2" && (await valueIn(west, "a")) === "2");
    await west.client.update(ConfigMap, spreadMap("a", "wrong"));
    await until("the repair", async () => (await valueIn(west, "a")) === "2");
  });

  it("gets one request for the hub itself from a watch with once", async () => {
    const { fleet, join, start } = await make();
    const clusters: string[] = [];
    await fleetControllerManagedBy(fleet)
      .named("once")
      .watchesHub(ConfigMap, enqueueForObject(), { once: true })
      .complete({
        reconcile: ({ cluster, name }) => {
          if (name === "only") clusters.push(cluster);
          return Promise.resolve();
        },
      });
    join("east", east.config);
    start();
    await hub.client.create(ConfigMap, configMap("only"));
    await until("a request", () => clusters.length > 0);
    expect(clusters).toEqual([""]);
  });

  it("assigns no worker to a cluster that is away, and resumes its requests on return", async () => {
    const { fleet, join, start, lines } = await make({ connectTimeout: 300 });
    const proxy = new SwitchProxy(west.config);
    join("west", await proxy.start(west.config));
    join("east", east.config);
    const calls: FleetRequest[] = [];
    // One worker for both clusters.
    await fleetControllerManagedBy(fleet)
      .named("copies")
      .watchesHub(ConfigMap, enqueueForObject())
      .complete({
        async reconcile({ cluster, ...key }) {
          calls.push({ cluster, ...key });
          await fleet.cluster(cluster).client.apply(ConfigMap, { metadata: key, data: { value: "1" } }, { fieldOwner: "copies" }); // prettier-ignore
        },
      });
    start();
    await hub.client.create(ConfigMap, configMap("first"));
    await until("both", async () => (await valueIn(east, "first")) === "1" && (await valueIn(west, "first")) === "1");
    // A busy machine can be too slow for the time limit before.
    const told = lines.length;
    await proxy.swallow();
    await hub.client.create(ConfigMap, configMap("second"));
    await until("the line", () =>
      lines.slice(told).some(({ msg, cluster }) => msg === "The cluster is away" && cluster === "west"),
    );
    const before = calls.length;
    for (let count = 0; count < 20; count++) await hub.client.create(ConfigMap, configMap(`later-${count}`));
    await until("the others", async () => (await valueIn(east, "later-19")) === "1");
    expect(calls.slice(before).filter(({ cluster }) => cluster === "west")).toEqual([]);
    await proxy.pass();
    await until("the requests that waited", async () => {
      const names = ["second", ...Array.from({ length: 20 }, (_, count) => `later-${count}`)];
      return (await Promise.all(names.map((name) => valueIn(west, name)))).every((value) => value === "1");
    });
    expect(lines.filter(({ msg }) => msg === "Reconciler error")).toEqual([]);
    await proxy.refuse();
  });

  it("ends running reconciles of a cluster that leaves, and drops its requests", async () => {
    const { fleet, join, leave, start, lines } = await make();
    const calls: string[] = [];
    let aborted = 0;
    await fleetControllerManagedBy(fleet)
      .for(ConfigMap)
      .withOptions({ maxConcurrentReconciles: 2 })
      .complete({
        async reconcile({ cluster, name }, { signal }) {
          calls.push(`${cluster}/${name}`);
          if (cluster === "west" || !name.startsWith("held")) return { requeueAfter: 3_600_000 };
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          aborted++;
          throw signal.reason;
        },
      });
    for (const name of ["held-1", "held-2", "queued-1", "queued-2"]) {
      await east.client.create(ConfigMap, configMap(name));
    }
    join("east", east.config);
    start();
    await until("the workers are busy", () => calls.filter((call) => /held/.test(call)).length === 2);
    leave("east");
    await until("the reconciles end", () => aborted === 2);
    await west.client.create(ConfigMap, configMap("held-1"));
    join("west", west.config);
    await until("a request of another", () => calls.includes("west/held-1"));
    expect(calls.filter((call) => /east\/queued/.test(call))).toEqual([]);
    expect(lines.filter(({ msg }) => msg === "Reconciler error")).toEqual([]);
  });

  it("counts for each cluster, and the series leave with it", async () => {
    const { mgr, fleet, join, leave, start } = await make({}, served);
    await fleetControllerManagedBy(fleet)
      .for(ConfigMap)
      .named("counted")
      .complete({
        async reconcile({ cluster, ...key }) {
          await fleet.cluster(cluster).apiReader.getOrUndefined(ConfigMap, key);
        },
      });
    const series = async () =>
      (await (await mgr.metrics!.registry()).metrics()).split("\n").filter((line) => line.includes('cluster="east"'));
    await east.client.create(ConfigMap, configMap("a"));
    join("east", east.config);
    start();
    const wanted = [
      /^controller_runtime_reconcile_total{controller="counted",result="success",cluster="east"} [1-9]/,
      /^tsop_fleet_cluster_reachable{cluster="east"} 1$/,
      /^rest_client_requests_total{code="200",method="GET",host="127.0.0.1:\d+",cluster="east"} [1-9]/,
      /^tsop_reflector_objects{kind="ConfigMap",cluster="east"} [1-9]/,
    ];
    await until("the series", async () => {
      const lines = await series();
      return wanted.every((pattern) => lines.some((line) => pattern.test(line)));
    });
    leave("east");
    await until("no series", async () => (await series()).length === 0);
  });
});

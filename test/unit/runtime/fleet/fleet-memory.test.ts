import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { ConfigMap } from "../../../../src/k8s/core/v1.ts";
import { controllerManagedBy } from "../../../../src/runtime/builders/builder.ts";
import { fleetControllerManagedBy } from "../../../../src/runtime/fleet/fleet-controller-builder.ts";
import { until } from "../until.ts";
import { configMap, fleetFixture } from "./fleet-fixture.ts";
import { SwitchProxy } from "./switch-proxy.ts";

const { servers, make } = fleetFixture();
const { hub, east } = servers;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Collects garbage until nothing more goes: finalizers need turns of their own. */
async function heap(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}

const resources = (): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

it("leaves nothing of a cluster: no socket, timer, series or object, after 50 that came and went", async () => {
  const { mgr, fleet, join, leave, start } = await make({}, { metrics: { bindAddress: "127.0.0.1:0" } }); // prettier-ignore
  const uniform = new Set<string>();
  const aware = new Set<string>();
  fleet.forEachCluster((cluster) =>
    controllerManagedBy(cluster)
      .for(ConfigMap)
      .complete({
        reconcile: async (key) => {
          const found = await cluster.client.getOrUndefined(ConfigMap, key);
          uniform.add(found?.metadata.name ?? "");
          return { requeueAfter: 3_600_000 };
        },
      }),
  );
  await fleetControllerManagedBy(fleet)
    .named("aware")
    .for(ConfigMap)
    .watchesHub(ConfigMap, { create: ({ object }, enqueue) => enqueue({ name: object.metadata.name }, 0) })
    .complete({
      reconcile: async ({ cluster, name }) => {
        if (name === "from-hub") aware.add(cluster);
        return Promise.resolve({ requeueAfter: 3_600_000 });
      },
    });
  const proxy = new SwitchProxy(east.config);
  const config = await proxy.start(east.config);
  for (let count = 0; count < 50; count++) await east.client.create(ConfigMap, configMap(`m-${count}`, { text: "x".repeat(2_000) })); // prettier-ignore
  await hub.client.create(ConfigMap, configMap("from-hub"));
  start();
  const caches: WeakRef<object>[] = [];
  const comeAndGo = async (name: string): Promise<void> => {
    uniform.clear();
    join(name, config);
    await until("the work of both controllers", () => uniform.size >= 50 && aware.has(name));
    caches.push(new WeakRef(fleet.cluster(name).cache));
    leave(name);
    await until("the cluster has left", () => fleet.clusters.length === 0 && proxy.sockets.size === 0);
  };
  for (let count = 0; count < 10; count++) await comeAndGo(`warm-up-${count}`);
  const before = { heap: await heap(), resources: resources() };
  for (let count = 0; count < 50; count++) await comeAndGo(`cluster-${count}`);
  const grown = (await heap()) - before.heap;
  expect(caches.filter((cache) => cache.deref()).length).toBeLessThanOrEqual(1);
  // A cluster that stays takes several hundred kilobytes.
  expect(grown / 50).toBeLessThan(20_000);
  const timers = (counts: Record<string, number>): number => counts["Timeout"] ?? 0;
  expect(timers(resources())).toBeLessThanOrEqual(timers(before.resources) + 2);
  expect(await (await mgr.metrics!.registry()).metrics()).not.toContain("cluster=");
  await proxy.refuse();
});

import { expect, it } from "vitest";
import { ConfigMap } from "../../../../src/k8s/core/v1.ts";
import { controllerManagedBy } from "../../../../src/runtime/builders/builder.ts";
import { fleetControllerManagedBy } from "../../../../src/runtime/fleet/fleet-controller-builder.ts";
import { Lease } from "../../../../src/runtime/leader-election/lease-object.ts";
import { collectGarbage } from "../collect-garbage.ts";
import { until } from "../until.ts";
import { configMap, fleetFixture } from "./fleet-fixture.ts";
import { SwitchProxy } from "./switch-proxy.ts";

const { servers, make } = fleetFixture();
const { hub, east } = servers;

async function heap(): Promise<number> {
  await collectGarbage();
  return process.memoryUsage().heapUsed;
}

const resources = (): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

it("keeps no socket, timer, series or object of 50 clusters that came and went", async () => {
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

it("keeps nothing of a cluster that came and went while another replica led", async () => {
  const namespace = "default";
  const now = "2030-01-01T00:00:00.000000Z";
  const spec = { holderIdentity: "other", leaseDurationSeconds: 3600, renewTime: now, acquireTime: now };
  await hub.client.create(Lease, { metadata: { namespace, name: "held" }, spec });
  const leaderElection = { enabled: true, namespace, id: "held" };
  const { fleet, join, leave, start } = await make({ needLeaderElection: false }, { leaderElection });
  fleet.forEachCluster((cluster) =>
    controllerManagedBy(cluster)
      .for(ConfigMap)
      .complete({ reconcile: () => Promise.reject(new Error("another replica leads")) }),
  );
  start();
  const caches: WeakRef<object>[] = [];
  for (let count = 0; count < 5; count++) {
    join("east", east.config);
    // The controller waits for its start.
    await until("the cluster answers", () => fleet.clusters.length === 1 && fleet.cluster("east").isReachable);
    await fleet.cluster("east").cache.waitForSync(AbortSignal.timeout(10_000));
    await new Promise((resolve) => setImmediate(resolve));
    caches.push(new WeakRef(fleet.cluster("east").cache));
    leave("east");
    await until("the cluster has left", () => fleet.clusters.length === 0);
  }
  await collectGarbage();
  expect(caches.filter((cache) => cache.deref()).length).toBeLessThanOrEqual(1);
});

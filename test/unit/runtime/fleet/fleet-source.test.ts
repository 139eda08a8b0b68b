import { expect, it } from "vitest";
import { ConfigMap } from "../../../../src/k8s/core/v1.ts";
import { objectKey } from "../../../../src/apimachinery/meta.ts";
import { controllerManagedBy } from "../../../../src/runtime/builders/builder.ts";
import { fleetSource } from "../../../../src/runtime/fleet/fleet-source.ts";
import { until } from "../until.ts";
import { configMap, fleetFixture } from "./fleet-fixture.ts";
import { SwitchProxy } from "./switch-proxy.ts";

const { servers, make } = fleetFixture();
const { hub, east, west } = servers;

it("notifies a controller of the hub when a cluster answers, goes away, returns and leaves", async () => {
  const { mgr, fleet, join, leave, start, lines } = await make({ connectTimeout: 300 });
  const states: Record<string, string[]> = { east: [], west: [] };
  const stateOf = (cluster: string): string => {
    if (!fleet.clusters.includes(cluster)) return "none";
    return fleet.cluster(cluster).isReachable ? "answers" : "away";
  };
  await controllerManagedBy(mgr)
    .for(ConfigMap)
    .watchesSource(
      fleetSource(fleet, async (cluster) => {
        const { items } = await mgr.client.list(ConfigMap, { namespace: "default", labels: { cluster } });
        return items.map(objectKey);
      }),
    )
    .complete({
      async reconcile(request) {
        const found = await mgr.client.getOrUndefined(ConfigMap, request);
        const cluster = found?.metadata.labels?.["cluster"];
        if (cluster && states[cluster]!.at(-1) !== stateOf(cluster)) states[cluster]!.push(stateOf(cluster));
      },
    });
  for (const cluster of ["east", "west"]) {
    const { metadata } = configMap(cluster);
    await hub.client.create(ConfigMap, { metadata: { ...metadata, labels: { cluster } } });
  }
  start();
  await until("the state before", () => states["east"]!.length === 1 && states["west"]!.length === 1);
  const proxy = new SwitchProxy(west.config);
  join("west", await proxy.start(west.config));
  join("east", east.config);
  await until("both answer", () => states["east"]!.at(-1) === "answers" && states["west"]!.at(-1) === "answers");
  await proxy.refuse();
  await until("it is away", () => states["west"]!.at(-1) === "away");
  await proxy.pass();
  await until("it is back", () => states["west"]!.at(-1) === "answers");
  leave("west");
  await until("it has left", () => states["west"]!.at(-1) === "none");
  await proxy.refuse();
  expect(states["east"]!.at(-1)).toBe("answers");
  expect(lines.filter(({ msg }) => msg === "Reconciler error")).toEqual([]);
});

it("notifies a later controller of the clusters that answer", async () => {
  const { mgr, fleet, join, start } = await make();
  join("east", east.config);
  start();
  await until("it answers", () => fleet.clusters.includes("east") && fleet.cluster("east").isReachable);
  const seen: string[] = [];
  await controllerManagedBy(mgr)
    .named("late")
    .watchesSource(fleetSource(fleet, (cluster) => [{ name: cluster }]))
    .complete({
      reconcile({ name }) {
        seen.push(name);
        return Promise.resolve();
      },
    });
  await until("a request", () => seen.length > 0);
  expect(seen).toEqual(["east"]);
});

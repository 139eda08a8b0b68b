import { describe, expect, it } from "vitest";
import { ConfigMap, Secret } from "../../../../src/k8s/core/v1.ts";
import { controllerManagedBy } from "../../../../src/runtime/builders/builder.ts";
import type { Controller } from "../../../../src/runtime/controller/controller.ts";
import { enqueueForObject } from "../../../../src/runtime/controller/handlers.ts";
import type { Manager } from "../../../../src/runtime/manager/manager.ts";
import { managedServer } from "../managed-server.ts";
import { until } from "../until.ts";

const { env, manager, start } = managedServer();

/** Adds a controller of ConfigMaps that also watches Secrets, and records its requests. */
async function add(mgr: Manager, name: string): Promise<{ controller: Controller; seen: string[] }> {
  const seen: string[] = [];
  const controller = await controllerManagedBy(mgr)
    .for(ConfigMap)
    .watches(Secret, enqueueForObject())
    .named(name)
    .complete({ reconcile: async (request) => void seen.push(request.name) });
  return { controller, seen };
}

/** Adds a controller that watches Secrets only. */
async function addOther(mgr: Manager): Promise<string[]> {
  const seen: string[] = [];
  await controllerManagedBy(mgr)
    .for(Secret)
    .named("secrets")
    .complete({ reconcile: async (request) => void seen.push(request.name) });
  return seen;
}

const create = (kind: typeof ConfigMap | typeof Secret, name: string) =>
  env.client.create<ConfigMap | Secret>(kind, { metadata: { namespace: "default", name } });

async function seriesOf(mgr: Manager, label: string): Promise<string[]> {
  const text = await (await mgr.metrics!.registry()).metrics();
  return text.split("\n").filter((line) => line.includes(label));
}

describe("a controller that is stopped", () => {
  it("leaves the rest of the manager running, with the watches that others need", async () => {
    const { mgr } = await manager();
    const { controller, seen } = await add(mgr, "stopped");
    const others = await addOther(mgr);
    start(mgr);
    await create(ConfigMap, "one");
    await until("a reconcile", () => seen.includes("one"));
    const [configMaps, secrets] = [mgr.cache.informer(ConfigMap), mgr.cache.informer(Secret)];

    await controller.stop();
    await create(Secret, "two");
    await until("a reconcile of the other", () => others.includes("two"));

    expect(seen).not.toContain("two");
    expect(mgr.cache.informer(Secret)).toBe(secrets);
    expect(mgr.cache.informer(ConfigMap)).not.toBe(configMaps);
  });

  it("leaves no metrics, nor its name", async () => {
    const { mgr } = await manager({ metrics: { bindAddress: "127.0.0.1:0" } });
    const { controller, seen } = await add(mgr, "again");
    start(mgr);
    await create(ConfigMap, "one");
    await until("a reconcile", () => seen.includes("one"));
    expect(await seriesOf(mgr, 'controller="again"')).not.toEqual([]);
    expect(await seriesOf(mgr, 'kind="ConfigMap"')).not.toEqual([]);

    await controller.stop();
    expect(await seriesOf(mgr, 'controller="again"')).toEqual([]);
    expect(await seriesOf(mgr, 'kind="ConfigMap"')).toEqual([]);

    const next = await add(mgr, "again");
    await until("a reconcile of the next one", () => next.seen.includes("one"));
    expect(await seriesOf(mgr, 'controller="again"')).not.toEqual([]);
  });

  it("keeps an index of its kind", async () => {
    const { mgr } = await manager();
    mgr.indexField(ConfigMap, "first", ({ data = {} }) => Object.keys(data).slice(0, 1));
    const { controller } = await add(mgr, "indexed");
    start(mgr);
    await controller.stop();
    await env.client.create(ConfigMap, { metadata: { namespace: "default", name: "one" }, data: { a: "b" } });
    await until("the object", async () => (await mgr.client.list(ConfigMap, { fields: { first: "a" } })).items.length === 1); // prettier-ignore
  });

  it("never starts if it was stopped before its manager", async () => {
    const { mgr } = await manager();
    const { controller, seen } = await add(mgr, "early");
    const others = await addOther(mgr);
    await controller.stop();
    const { done, stop } = start(mgr);
    await create(Secret, "one");
    await until("a reconcile of the other", () => others.includes("one"));
    expect(seen).toEqual([]);
    stop.abort();
    expect(await done).toBeUndefined();
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { mergePatch } from "../../../../src/client/patches.ts";
import { ConfigMap, Secret } from "../../../../src/k8s/core/v1.ts";
import { controllerManagedBy, type ControllerBuilder } from "../../../../src/runtime/builders/builder.ts";
import type { Reconciler } from "../../../../src/runtime/controller/reconciler.ts";
import type { Manager } from "../../../../src/runtime/manager/manager.ts";
import { setControllerReference } from "../../../../src/runtime/objects/owner-references.ts";
import { managedServer } from "../managed-server.ts";
import { until } from "../until.ts";
import { createMap, drainLabel, installRing, label, labelsOf, namespace, ring, shardLabel } from "./ring.ts";

const { env, manager, start } = managedServer();

beforeAll(() => installRing(env));

/** Starts shard "a" with a controller of ConfigMaps, and returns the names that it reconciles. */
async function shardA(
  reconcile: Reconciler["reconcile"],
  adjust: (builder: ControllerBuilder) => unknown = () => undefined,
): Promise<{ mgr: Manager; names: string[] }> {
  const { mgr } = await manager({ sharding: { ring, shard: "a", namespace } });
  const names: string[] = [];
  const builder = controllerManagedBy(mgr).for(ConfigMap);
  adjust(builder);
  await builder.complete({
    async reconcile(request, ctx) {
      names.push(request.name);
      return reconcile(request, ctx);
    },
  });
  start(mgr);
  return { mgr, names };
}

const nothing = (): Promise<void> => Promise.resolve();

/** Waits until the shard has seen all that happened before: it reconciles a new object after that. */
async function passed(names: readonly string[]): Promise<void> {
  const name = `later-${names.length}-${Math.random().toString(36).slice(2)}`;
  await createMap(env, name, "a");
  await until("a later object is reconciled", () => names.includes(name));
}

describe("a shard", () => {
  it("reconciles the objects that are assigned to it, once they are", async () => {
    await createMap(env, "mine", "a");
    await createMap(env, "other", "b");
    await createMap(env, "nobodys");
    const { names } = await shardA(nothing);
    await until("the object of the shard is reconciled", () => names.includes("mine"));
    await label(env, "nobodys", { [shardLabel]: "a" });
    await until("the assigned object is reconciled", () => names.includes("nobodys"));
    expect(names).not.toContain("other");
  });

  it("releases an object after its running reconcile, and does not reconcile it until it is assigned again", async () => {
    let running = false;
    let end = (): void => undefined;
    await createMap(env, "busy", "a");
    const { names } = await shardA(
      async ({ name }) => {
        if (name !== "busy" || running) return;
        running = true;
        await new Promise<void>((resolve) => {
          end = resolve;
        });
      },
      (builder) => builder.withOptions({ maxConcurrentReconciles: 3 }),
    );
    await until("the reconcile runs", () => running);
    await label(env, "busy", { [drainLabel]: "true" });
    await passed(names);
    expect(await labelsOf(env, "busy")).toEqual({ [shardLabel]: "a", [drainLabel]: "true" });
    end();
    await until("the object has no labels", async () => Object.keys(await labelsOf(env, "busy")).length === 0);
    await label(env, "busy", { [shardLabel]: "b" });
    await passed(names);
    expect(names.filter((name) => name === "busy")).toEqual(["busy"]);
    await label(env, "busy", { [shardLabel]: "a" });
    await until("it is reconciled again", () => names.filter((name) => name === "busy").length === 2);
  });

  it("releases an object after the reconciles of all controllers of its kind", async () => {
    let end: (() => void) | undefined;
    await createMap(env, "shared", "a");
    const { mgr } = await manager({ sharding: { ring, shard: "a", namespace } });
    await controllerManagedBy(mgr)
      .for(ConfigMap)
      .named("slow")
      .complete({
        reconcile: ({ name }) =>
          name !== "shared" || end
            ? Promise.resolve()
            : new Promise((resolve) => {
                end = () => resolve();
              }),
      });
    const names: string[] = [];
    const fast: Reconciler = { reconcile: ({ name }) => Promise.resolve(void names.push(name)) };
    await controllerManagedBy(mgr).for(ConfigMap).named("fast").complete(fast);
    start(mgr);
    await until("both have begun", () => end !== undefined && names.includes("shared"));
    await label(env, "shared", { [drainLabel]: "true" });
    await passed(names);
    expect(await labelsOf(env, "shared")).toHaveProperty([drainLabel]);
    end!();
    await until("the object has no labels", async () => Object.keys(await labelsOf(env, "shared")).length === 0);
  });

  it.each([
    ["a predicate of for()", (): undefined => undefined, [{ update: () => false, create: () => false }]],
    ["an event filter", (builder: ControllerBuilder) => builder.withEventFilter({ update: () => false }), []],
  ])("releases an object although %s hides the change", async (_title, adjust, predicates) => {
    await createMap(env, "hidden", "a");
    const { mgr } = await manager({ sharding: { ring, shard: "a", namespace } });
    const builder = controllerManagedBy(mgr).for(ConfigMap, { predicates });
    adjust(builder);
    await builder.complete({ reconcile: nothing });
    start(mgr);
    await until("the cache has the object", async () => {
      return mgr.cache.hasStarted && !!(await mgr.client.getOrUndefined(ConfigMap, { namespace, name: "hidden" }));
    });
    await label(env, "hidden", { [drainLabel]: "true" });
    await until("the object has no labels", async () => Object.keys(await labelsOf(env, "hidden")).length === 0);
  });

  it("releases an object of a metadata-only watch", async () => {
    await createMap(env, "partial", "a");
    await label(env, "partial", { [drainLabel]: "" });
    const { mgr } = await manager({ sharding: { ring, shard: "a", namespace } });
    await controllerManagedBy(mgr).for(ConfigMap, { metadataOnly: true }).complete({ reconcile: nothing });
    start(mgr);
    await until("the object has no labels", async () => Object.keys(await labelsOf(env, "partial")).length === 0);
  });

  it("does not reconcile an object that has moved when its timer is due", async () => {
    await createMap(env, "timed", "a");
    await createMap(env, "clock", "a");
    const { names } = await shardA(() => Promise.resolve({ requeueAfter: 5 }));
    const count = (name: string): number => names.filter((each) => each === name).length;
    await until("the timer works", () => count("timed") > 2);
    await label(env, "timed", { [shardLabel]: "b" });
    await passed(names);
    const [timed, ticks] = [count("timed"), count("clock")];
    await until("further timers are due", () => count("clock") > ticks + 5);
    expect(count("timed")).toBe(timed);
  });

  it("passes the request of a deleted object on, and none of an object that has moved", async () => {
    await createMap(env, "deleted", "a");
    await createMap(env, "moved", "a");
    await createMap(env, "drained", "a");
    const absent: string[] = [];
    const { mgr, names } = await shardA(async (request) => {
      if (!(await mgr.client.getOrUndefined(ConfigMap, request))) absent.push(request.name);
    });
    await until("all are reconciled", () => ["deleted", "moved", "drained"].every((name) => names.includes(name)));
    await label(env, "moved", { [shardLabel]: "b" });
    await label(env, "drained", { [drainLabel]: "true" });
    await until("the object has no labels", async () => Object.keys(await labelsOf(env, "drained")).length === 0);
    await passed(names);
    // The next shard, if there is one, is responsible for the deletion.
    await env.client.delete(ConfigMap, { metadata: { namespace, name: "drained" } });
    await env.client.delete(ConfigMap, { metadata: { namespace, name: "deleted" } });
    await until("the deleted object is reconciled", () => absent.includes("deleted"));
    await passed(names);
    expect(absent).toEqual(["deleted"]);
  });

  it("waits for a child that has not followed its object, without an error", async () => {
    await createMap(env, "moved-owner", "b");
    const owner = await env.client.get(ConfigMap, { namespace, name: "moved-owner" });
    const child: Secret = { metadata: { namespace, name: "late-child", labels: { [shardLabel]: "b" } } };
    setControllerReference(owner, child);
    await env.client.create(Secret, child);
    await env.client.create(Secret, { metadata: { namespace, name: "foreign", labels: { [shardLabel]: "b" } } });
    const { mgr, lines } = await manager({ sharding: { ring, shard: "a", namespace } });
    const seen: string[] = [];
    const ensure = async (name: string): Promise<void> => {
      if (await mgr.client.getOrUndefined(Secret, { namespace, name })) seen.push(name);
      else await mgr.client.create(Secret, { metadata: { namespace, name } });
    };
    const reconcile: Reconciler["reconcile"] = async ({ name }) => {
      if (name === "moved-owner") await ensure("late-child");
      if (name === "other-owner") await ensure("foreign");
      if (name === "blind-owner") await mgr.client.create(Secret, { metadata: { namespace, name: "known-child" } });
    };
    await controllerManagedBy(mgr).for(ConfigMap).owns(Secret).complete({ reconcile });
    start(mgr);
    const errors = (): string[] =>
      lines.filter(({ msg }) => msg === "Reconciler error").map((line) => (line["ConfigMap"] as { name: string }).name);
    await label(env, "moved-owner", { [shardLabel]: "a" });
    await until("it waits", () => lines.some((line) => line["child"] === "Secret late-child"));
    expect(seen).toEqual([]);
    await env.client.patch(Secret, child, mergePatch({ metadata: { labels: { [shardLabel]: "a" } } }));
    await until("the child is seen", () => seen.includes("late-child"));
    await createMap(env, "other-owner", "a");
    await until("an object of somebody else is an error", () => errors().length > 0);
    expect(new Set(errors())).toEqual(new Set(["other-owner"]));
    await createMap(env, "blind-owner");
    const blind = await env.client.get(ConfigMap, { namespace, name: "blind-owner" });
    const known: Secret = { metadata: { namespace, name: "known-child", labels: { [shardLabel]: "a" } } };
    setControllerReference(blind, known);
    await env.client.create(Secret, known);
    await label(env, "blind-owner", { [shardLabel]: "a" });
    await until("a reconciler that does not look fails", () => errors().includes("blind-owner"));
  });

  it("repeats the failed reconcile of a deleted object", async () => {
    await createMap(env, "deleted", "a");
    let attempts = 0;
    const { mgr, names } = await shardA(async (request) => {
      if (await mgr.client.getOrUndefined(ConfigMap, request)) return;
      attempts++;
      if (attempts === 1) throw new Error("the cleanup failed");
    });
    await until("it is reconciled", () => names.includes("deleted"));
    await env.client.delete(ConfigMap, { metadata: { namespace, name: "deleted" } });
    await until("it is retried", () => attempts === 2);
  });

  it("does not read its own write of an object that has left", async () => {
    await createMap(env, "left", "a");
    const { mgr, names } = await shardA(nothing);
    await until("it is reconciled", () => names.includes("left"));
    const moved = await mgr.client.get(ConfigMap, { namespace, name: "left" });
    moved.metadata.labels = { [shardLabel]: "b" };
    await mgr.client.update(ConfigMap, moved);
    const read = await mgr.client.getOrUndefined(ConfigMap, { namespace, name: "left" });
    expect(read?.metadata.labels?.[shardLabel]).not.toBe("b");
    await passed(names);
    expect(await mgr.client.getOrUndefined(ConfigMap, { namespace, name: "left" })).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import type { Named, OwnerReference } from "../../../../src/apimachinery/meta.ts";
import {
  enqueueForObject,
  enqueueForOwner,
  enqueueFromMap,
  withLowPriorityWhenUnchanged,
  type Enqueue,
  type EventHandler,
} from "../../../../src/runtime/controller/handlers.ts";

const Thing = defineKind({ group: "example.com", version: "v1", kind: "Thing", plural: "things" });
const Zone = defineKind({ group: "example.com", version: "v1", kind: "Zone", plural: "zones", scope: "Cluster" });

function object(version: string, ...owners: Partial<OwnerReference>[]): Named {
  const ownerReferences = owners.map((owner) => ({
    apiVersion: "example.com/v1",
    kind: "Thing",
    name: "o",
    uid: "u",
    ...owner,
  }));
  return { metadata: { namespace: "n", name: "a", resourceVersion: version, ownerReferences } };
}

type Call = (handler: EventHandler, enqueue: Enqueue) => void | Promise<void>;

/** Returns the requests that a handler enqueues for an event, as `key priority`. */
async function requests(handler: EventHandler, call: Call): Promise<string[]> {
  const seen: string[] = [];
  await call(handler, ({ namespace = "", name }, priority) => seen.push(`${namespace}/${name} ${priority}`));
  return seen;
}

const created =
  (it: Named, isInInitialList = false): Call =>
  (handler, enqueue) =>
    handler.create?.({ object: it, isInInitialList }, enqueue);
const updated =
  (objectOld: Named, objectNew: Named): Call =>
  (handler, enqueue) =>
    handler.update?.({ objectOld, objectNew }, enqueue);
const deleted =
  (it: Named): Call =>
  (handler, enqueue) =>
    handler.delete?.({ object: it, deleteStateUnknown: false }, enqueue);
const generic =
  (it: Named): Call =>
  (handler, enqueue) =>
    handler.generic?.({ object: it }, enqueue);

describe("enqueueForObject", () => {
  it.each<[string, Call, string]>([
    ["a creation", created(object("1")), "n/a 0"],
    ["an object of the initial list, with low priority", created(object("1"), true), "n/a -100"],
    ["a change", updated(object("1"), object("2")), "n/a 0"],
    ["a resync, with low priority", updated(object("1"), object("1")), "n/a -100"],
    ["a deletion", deleted(object("1")), "n/a 0"],
    ["a generic event", generic(object("1")), "n/a 0"],
  ])("enqueues the object itself after %s", async (_name, call, expected) => {
    expect(await requests(enqueueForObject(), call)).toEqual([expected]);
  });
});

describe("enqueueForOwner", () => {
  const controller = { controller: true };

  it.each<[string, Named, string[]]>([
    ["the controller", object("1", controller), ["n/o 0"]],
    [
      "a controller of another version of the kind",
      object("1", { ...controller, apiVersion: "example.com/v2" }),
      ["n/o 0"],
    ],
    ["nothing for an owner that is not the controller", object("1", {}), []],
    ["nothing for another kind", object("1", { ...controller, kind: "Other" }), []],
    ["nothing for another group", object("1", { ...controller, apiVersion: "other.com/v1" }), []],
    ["nothing without owners", { metadata: { name: "a" } }, []],
  ])("enqueues %s", async (_name, owned, expected) => {
    expect(await requests(enqueueForOwner(Thing), created(owned))).toEqual(expected);
  });

  it("enqueues every owner of the kind if configured", async () => {
    const handler = enqueueForOwner(Thing, { onlyController: false });
    expect(await requests(handler, deleted(object("1", {}, { name: "p" })))).toEqual(["n/o 0", "n/p 0"]);
  });

  it("enqueues cluster-scoped owners without a namespace", async () => {
    const owned = object("1", { ...controller, kind: "Zone", name: "z" });
    expect(await requests(enqueueForOwner(Zone), created(owned))).toEqual(["/z 0"]);
  });

  it("enqueues the old and the new owner of a change, each once", async () => {
    const [before, after] = [object("1", controller), object("2", { ...controller, name: "p" })];
    expect(await requests(enqueueForOwner(Thing), updated(before, after))).toEqual(["n/o 0", "n/p 0"]);
    expect(await requests(enqueueForOwner(Thing), updated(before, object("2", controller)))).toEqual(["n/o 0"]);
    expect(await requests(enqueueForOwner(Thing), updated(before, before))).toEqual(["n/o -100"]);
  });
});

describe("enqueueFromMap", () => {
  const handler = enqueueFromMap(({ metadata }) => [
    { namespace: "n", name: `v${metadata.resourceVersion}` },
    { namespace: "n", name: "both" },
  ]);

  it("enqueues the results of the function without duplicates", async () => {
    expect(await requests(handler, created(object("1")))).toEqual(["n/v1 0", "n/both 0"]);
    expect(await requests(handler, updated(object("1"), object("2")))).toEqual(["n/v1 0", "n/both 0", "n/v2 0"]);
    expect(await requests(handler, generic(object("3")))).toEqual(["n/v3 0", "n/both 0"]);
    const twice = enqueueFromMap(() => [{ name: "a" }, { name: "a" }]);
    for (const event of [created(object("1")), generic(object("1"))]) {
      expect(await requests(twice, event)).toHaveLength(1);
    }
  });
});

describe("a handler with low priority for unchanged objects", () => {
  const all = (_event: unknown, enqueue: Enqueue): void => {
    enqueue({ name: "plain" }, 0);
    enqueue({ name: "urgent" }, 5);
  };
  const handler = withLowPriorityWhenUnchanged({ create: all, update: all, delete: all, generic: all });

  it.each<[string, Call, number]>([
    ["the initial list", created(object("1"), true), -100],
    ["a new object", created(object("1")), 0],
    ["a resync", updated(object("1"), object("1")), -100],
    ["a change", updated(object("1"), object("2")), 0],
    ["a deletion", deleted(object("1")), 0],
    ["a generic event", generic(object("1")), 0],
  ])("sets the priority for %s in case %#", async (_name, call, priority) => {
    expect(await requests(handler, call)).toEqual([`/plain ${priority}`, "/urgent 5"]);
  });
});

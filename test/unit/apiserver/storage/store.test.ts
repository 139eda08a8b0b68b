import { describe, expect, it } from "vitest";
import type { UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import type { Collection } from "../../../../src/apiserver/storage/collection.ts";
import { Store, takeSnapshot } from "../../../../src/apiserver/storage/store.ts";

const object = (name: string): UnstructuredObject => ({ metadata: { name, resourceVersion: "7" } });

/** A snapshot, and the collections whose objects somebody has read from it. */
function snapshot() {
  const read: string[] = [];
  const objects = {
    get "/configmaps"() {
      read.push("/configmaps");
      return { "default/a": object("a"), "default/b": object("b") };
    },
    get "apps/deployments"() {
      read.push("apps/deployments");
      return { "default/c": object("c") };
    },
  };
  return { read, restored: { revision: 7, objects } };
}

describe("a store that is restored", () => {
  it("reads the objects of a collection when somebody asks for it, and then once", () => {
    const { read, restored } = snapshot();
    const store = new Store();
    store.restore(restored);
    expect(store.collection({ group: "", plural: "secrets" }).size).toBe(0);
    expect(read).toEqual([]);
    const configMaps = store.collection({ group: "", plural: "configmaps" });
    expect([...configMaps.entries("")].map(([key]) => key)).toEqual(["default/a", "default/b"]);
    expect(Object.isFrozen(configMaps.get("default/a")?.metadata)).toBe(true);
    expect(store.collection({ group: "", plural: "configmaps" })).toBe(configMaps);
    expect(read).toEqual(["/configmaps"]);
  });

  it("fills a collection that somebody has looked up before", () => {
    const store = new Store();
    const configMaps = store.collection({ group: "", plural: "configmaps" });
    store.restore(snapshot().restored);
    expect([...configMaps.entries("")].map(([key]) => key)).toEqual(["default/a", "default/b"]);
  });

  it("takes the objects out of the snapshot, so that it does not hold removed ones", () => {
    const { restored } = snapshot();
    const store = new Store();
    store.restore(restored);
    store.collection({ group: "", plural: "configmaps" });
    expect(Object.keys(restored.objects)).toEqual(["apps/deployments"]);
  });

  it("has all objects in a snapshot of its own, although nobody has asked for them", () => {
    const { restored } = snapshot();
    const store = new Store();
    store.restore(restored);
    expect(takeSnapshot(store)).toEqual(snapshot().restored);
  });

  it("tells a listener of all objects at once", () => {
    const seen: string[] = [];
    const store = new Store(undefined, undefined, (resource, { type, key, revision }) =>
      seen.push(`${type} ${resource} ${key} ${revision}`),
    );
    store.restore(snapshot().restored);
    expect(seen).toEqual([
      "ADDED /configmaps default/a 7",
      "ADDED /configmaps default/b 7",
      "ADDED apps/deployments default/c 7",
    ]);
  });
});

describe("the history of a store", () => {
  it("is limited in bytes, which the collection with the most of them pays for", () => {
    const store = new Store(undefined, undefined, undefined, 1_000_000);
    const [small, large] = ["secrets", "configmaps"].map((plural) => store.collection({ group: "", plural }));
    const write = (collection: Collection, value: string): void => {
      const next = { ...object("a"), data: { value } };
      expect(store.commit(collection, "a", { previous: collection.get("a"), object: next })).toBeDefined();
    };
    for (let round = 0; round < 100; round++) {
      write(small!, "x");
      write(large!, "x".repeat(10_000));
    }
    expect(small!.history.after(1)).toHaveLength(100);
    expect(large!.history.after(1)).toBeUndefined();
    expect(large!.history.after(store.revision - 20)).toHaveLength(10);
    expect(small!.history.bytes + large!.history.bytes).toBeLessThan(1_000_000);
  });
});

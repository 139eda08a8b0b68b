import { describe, expect, it } from "vitest";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import type { KubeObject, Named } from "../../../../src/apimachinery/meta.ts";
import { alreadyParsed, parsedLater } from "../../../../src/client/calls/lazy-object.ts";
import { Store, storeKey } from "../../../../src/runtime/cache/object-store.ts";

function labelledObject(name: string, namespace: string | undefined, ...teams: string[]): Named {
  return {
    metadata: { name, ...(namespace ? { namespace } : {}), labels: Object.fromEntries(teams.map((t) => [t, ""])) },
  };
}

const kind = defineKind({ group: "example.com", version: "v1", kind: "Thing", plural: "things" });
const byTeam = (object: KubeObject): string[] => Object.keys(object.metadata.labels ?? {});

function keys(found: Iterable<string>): string[] {
  return [...found].toSorted();
}

describe("a store", () => {
  it("finds objects by namespace and name, and cluster-scoped ones by name", () => {
    expect(storeKey(labelledObject("a", "n"))).toBe("n/a");
    expect(storeKey(labelledObject("a", undefined))).toBe("a");
  });

  it.each([false, true])("keeps objects that are nested deeper than the stack (frozen: %s)", (freezeShared) => {
    const store = new Store(undefined, freezeShared);
    const text = `{"metadata":{"name":"deep"},"spec":${'{"a":'.repeat(9_900)}1${"}".repeat(9_900)}}`;
    const deep = (): Named => JSON.parse(text) as Named;
    store.set("deep", alreadyParsed(deep()));
    const [[key, kept]] = store.snapshot(["deep"]) as [[string, Named]];
    expect(store.share(key, kept).metadata.name).toBe("deep");
    expect(store.set("deep", parsedLater(kind, text, { name: "deep" }))?.metadata.name).toBe("deep");
    expect(store.get("deep")?.metadata.name).toBe("deep");
  });

  it("updates its indexes on changes and deletions", () => {
    const store = new Store();
    store.addIndex("team", byTeam);
    store.set("n1/a", alreadyParsed(labelledObject("a", "n1", "x", "y")));
    store.set("n2/b", alreadyParsed(labelledObject("b", "n2", "y")));
    expect(keys(store.keysByIndex("team", "y"))).toEqual(["n1/a", "n2/b"]);
    const old = store.set("n1/a", alreadyParsed(labelledObject("a", "n1", "z")));
    expect(byTeam(old!)).toEqual(["x", "y"]);
    expect(keys(store.keysByIndex("team", "x"))).toEqual([]);
    expect(keys(store.keysByIndex("team", "y"))).toEqual(["n2/b"]);
    expect(keys(store.keysByIndex("team", "z"))).toEqual(["n1/a"]);
    store.delete("n1/a");
    expect(keys(store.keysByIndex("team", "z"))).toEqual([]);
    expect(keys(store.keys("n2"))).toEqual(["n2/b"]);
    expect(store.size).toBe(1);
  });

  it("builds a late index from the existing objects", () => {
    const store = new Store();
    store.set("n/a", alreadyParsed(labelledObject("a", "n", "x")));
    store.addIndex("team", byTeam);
    expect(keys(store.keysByIndex("team", "x"))).toEqual(["n/a"]);
    expect(store.hasIndex("team")).toBe(true);
    expect(store.hasIndex("other")).toBe(false);
  });

  it("returns copies, or the same object to read-only callers", () => {
    const store = new Store();
    store.set("n/a", alreadyParsed(labelledObject("a", "n", "x")));
    const copy = store.get("n/a")!;
    copy.metadata.name = "changed";
    expect(store.get("n/a")).toEqual(labelledObject("a", "n", "x"));
    const look = (): KubeObject => store.snapshot(store.keys()).map(([key, kept]) => store.share(key, kept))[0]!;
    const seen = look();
    expect(look()).toBe(seen);
    expect(store.get("n/a")).toEqual(seen);
    expect(store.get("n/a")).not.toBe(seen);
    store.set("n/a", alreadyParsed(labelledObject("a", "n", "y")));
    expect(look()).toEqual(labelledObject("a", "n", "y"));
  });

  it("keeps a snapshot unchanged while the store changes", () => {
    const store = new Store();
    store.set("n/a", alreadyParsed(labelledObject("a", "n", "x")));
    const snapshot = store.snapshot(store.keys("n"));
    store.set("n/a", alreadyParsed(labelledObject("a", "n", "y")));
    store.set("n/b", alreadyParsed(labelledObject("b", "n", "y")));
    expect(snapshot.map(([key, kept]) => store.share(key, kept))).toEqual([labelledObject("a", "n", "x")]);
    expect(store.get("n/a")).toEqual(labelledObject("a", "n", "y"));
  });

  it("returns nothing for a missing object", () => {
    const store = new Store();
    expect(store.delete("n/a")).toBeUndefined();
    expect(store.get("n/a")).toBeUndefined();
    expect(keys(store.keysByIndex("none", "x"))).toEqual([]);
  });
});

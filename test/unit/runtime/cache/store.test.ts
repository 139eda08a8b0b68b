import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../../src/apimachinery/meta.ts";
import { Store, storeKey } from "../../../../src/runtime/cache/store.ts";

function labelled(name: string, namespace: string | undefined, ...teams: string[]): KubeObject {
  return {
    metadata: { name, ...(namespace ? { namespace } : {}), labels: Object.fromEntries(teams.map((t) => [t, ""])) },
  };
}

const byTeam = (object: KubeObject): string[] => Object.keys(object.metadata.labels ?? {});

function names(objects: Iterable<KubeObject>): string[] {
  return [...objects].map(({ metadata }) => metadata.name ?? "").toSorted();
}

describe("store", () => {
  it("finds objects by namespace and name; cluster-scoped ones by name", () => {
    expect(storeKey(labelled("a", "n"))).toBe("n/a");
    expect(storeKey(labelled("a", undefined))).toBe("a");
  });

  it("keeps its indexes when objects change and go", () => {
    const store = new Store();
    store.addIndex("team", byTeam);
    store.set(labelled("a", "n1", "x", "y"));
    store.set(labelled("b", "n2", "y"));
    expect(names(store.byIndex("team", "y"))).toEqual(["a", "b"]);
    const old = store.set(labelled("a", "n1", "z"));
    expect(byTeam(old!)).toEqual(["x", "y"]);
    expect(names(store.byIndex("team", "x"))).toEqual([]);
    expect(names(store.byIndex("team", "y"))).toEqual(["b"]);
    expect(names(store.byIndex("team", "z"))).toEqual(["a"]);
    store.delete("n1/a");
    expect(names(store.byIndex("team", "z"))).toEqual([]);
    expect(names(store.inNamespace("n2"))).toEqual(["b"]);
    expect(store.size).toBe(1);
  });

  it("indexes what is there already when an index comes late", () => {
    const store = new Store();
    store.set(labelled("a", "n", "x"));
    store.addIndex("team", byTeam);
    expect(names(store.byIndex("team", "x"))).toEqual(["a"]);
    expect(store.hasIndex("team")).toBe(true);
    expect(store.hasIndex("other")).toBe(false);
  });

  it("says nothing of what it does not have", () => {
    const store = new Store();
    expect(store.delete("n/a")).toBeUndefined();
    expect(store.get("n/a")).toBeUndefined();
    expect(names(store.byIndex("none", "x"))).toEqual([]);
  });
});

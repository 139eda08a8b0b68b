import { describe, expect, it } from "vitest";
import type { KubeObject, Named } from "../../../../src/apimachinery/meta.ts";
import { PendingWrites } from "../../../../src/runtime/cache/pending-writes.ts";
import { manualClock } from "../../../../src/testing/manual-clock.ts";

function object(name: string, version: string, namespace = "n"): Named {
  return { metadata: { name, namespace, resourceVersion: version } };
}

function setUp(namespaces: (string | undefined)[] = [undefined]) {
  const clock = manualClock(new Date(0));
  return { clock, writes: new PendingWrites<KubeObject>(clock, namespaces) };
}

describe("a pending write", () => {
  it("is visible until the watch has reported it", () => {
    const { writes } = setUp();
    writes.report(object("other", "5"));
    writes.add(object("a", "7"));
    expect(writes.get("n/a")?.metadata.resourceVersion).toBe("7");
    writes.report(object("other", "6"));
    expect(writes.isEmpty).toBe(false);
    writes.report(object("a", "7"));
    expect(writes.isEmpty).toBe(true);
    expect(writes.get("n/a")).toBeUndefined();
  });

  it("ends with a later version of any object, because the watch is past it", () => {
    const { writes } = setUp();
    writes.add(object("a", "7"));
    writes.report(object("b", "9"));
    expect(writes.isEmpty).toBe(true);
  });

  it("is ignored if the watch was faster than the response, because the object may be deleted", () => {
    const { writes } = setUp();
    writes.report(object("a", "8"));
    writes.add(object("a", "7"));
    writes.add(object("a", "8"));
    expect(writes.isEmpty).toBe(true);
    writes.add(object("a", "9"));
    expect([...writes.values()]).toHaveLength(1);
  });

  it("ends after ten seconds in any case", async () => {
    const { writes, clock } = setUp();
    writes.add(object("a", "7"));
    await clock.advance(9_999);
    expect(writes.isEmpty).toBe(false);
    await clock.advance(1);
    expect(writes.isEmpty).toBe(true);
  });

  it("hides a deleted object for ten seconds, but no new object with its name", async () => {
    const { writes, clock } = setUp();
    const [first, second] = ["u1", "u2"].map((uid): Named => ({ metadata: { ...object("a", "7").metadata, uid } }));
    writes.add(first!);
    writes.addGone("n/a", "u1");
    expect(writes.get("n/a")).toBeUndefined();
    expect([writes.isGone(first!), writes.isGone(second!)]).toEqual([true, false]);
    await clock.advance(10_000);
    expect(writes.isGone(first!)).toBe(false);
  });

  it("is compared with the version of its own namespace, and is ignored in an unwatched one", () => {
    const { writes } = setUp(["n", "m"]);
    writes.report(object("x", "100", "m"));
    writes.add(object("a", "7", "n"));
    writes.add(object("b", "8", "m"));
    writes.add(object("c", "200", "elsewhere"));
    expect([...writes.values()].map(({ metadata }) => metadata.name)).toEqual(["a"]);
  });

  it("waits for the watch of its namespace if there is one, else for the watch of the rest", () => {
    const { writes } = setUp(["n", undefined]);
    writes.add(object("a", "7"));
    writes.add(object("b", "7", "other"));
    writes.report(object("x", "9", "third"));
    expect(writes.get("other/b")).toBeUndefined();
    expect(writes.get("n/a")).toBeDefined();
    writes.report(object("x", "9", "n"));
    expect(writes.isEmpty).toBe(true);
  });
});

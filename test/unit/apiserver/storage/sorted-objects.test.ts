import { describe, expect, test } from "vitest";
import { SortedObjects } from "../../../../src/apiserver/storage/collection.ts";
import { randomFrom } from "../random-from.ts";

const object = (name: string) => ({ metadata: { name } });
const keysOf = (objects: SortedObjects, prefix = "", start?: string) =>
  [...objects.entries(prefix, start)].map(([key]) => key);

describe("SortedObjects", () => {
  test("lists in key order whatever was written and deleted, over many blocks", () => {
    const random = randomFrom(7);
    const objects = new SortedObjects();
    const expected = new Set<string>();
    for (let step = 0; step < 6000; step++) {
      const key = `${random() < 0.5 ? "a" : "b"}/${Math.floor(random() * 3000)}`;
      if (random() < 0.7) {
        objects.set(key, object(key));
        expected.add(key);
      } else {
        objects.delete(key);
        expected.delete(key);
      }
    }
    const sorted = [...expected].sort();
    expect(objects.size).toBe(sorted.length);
    expect(keysOf(objects)).toEqual(sorted);
    expect(keysOf(objects, "b/")).toEqual(sorted.filter((key) => key.startsWith("b/")));
    expect(keysOf(objects, "a/", "a/2")).toEqual(sorted.filter((key) => key.startsWith("a/") && key >= "a/2"));
  });

  test("a copy keeps what it has seen", () => {
    const objects = new SortedObjects();
    objects.set("a", object("a"));
    const copy = objects.copy();
    objects.set("b", object("b"));
    objects.delete("a");
    expect([keysOf(copy), keysOf(objects), objects.get("a")]).toEqual([["a"], ["b"], undefined]);
  });
});

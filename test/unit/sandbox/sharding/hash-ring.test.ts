import { expect, it } from "vitest";
import { HashRing } from "../../../../src/sandbox/sharding/hash-ring.ts";

it("spreads keys over the shards", () => {
  const ring = new HashRing(["a", "b", "c"]);
  const chosen = Array.from({ length: 900 }, (_, index) => ring.shardOf(`v1/Secret/default/secret-${index}`));
  for (const shard of ["a", "b", "c"]) expect(chosen.filter((each) => each === shard).length).toBeGreaterThan(150);
});

it("moves only keys of the shard that leaves", () => {
  const [three, two] = [new HashRing(["a", "b", "c"]), new HashRing(["a", "b"])];
  const keys = Array.from({ length: 500 }, (_, index) => `v1/Secret/default/secret-${index}`);
  const moved = keys.filter((key) => three.shardOf(key) !== two.shardOf(key));
  expect(moved.length).toBeGreaterThan(100);
  expect(new Set(moved.map((key) => three.shardOf(key)))).toEqual(new Set(["c"]));
});

it("has no shard for a key if no shard is there", () => {
  expect(new HashRing([]).shardOf("key")).toBeUndefined();
});

import { expect, it } from "vitest";
import { HashRing, xxhash64 } from "../../../../src/sandbox/sharding/hash-ring.ts";

// The hashes and shards that the sharder of kubernetes-controller-sharding v0.11.0 computes.
const hashes: Record<string, bigint> = {
  "": 17241709254077376921n,
  a: 15154266338359012955n,
  abcd: 15997673941747208908n,
  abcdefgh: 4238821247360054455n,
  abcdefghijklmnopqrstuvwxyz: 14979520437024293724n,
  abcdefghijklmnopqrstuvwxyzabcdef: 5595383772381926855n,
  "apps/Deployment/a-rather-long-namespace/a-rather-long-name-of-a-deployment-Ü": 222435281532805033n,
};
const shards = [1, 0, 1, 2, 1, 1, 2, 0, 0, 0, 2, 2];

it.each(Object.entries(hashes))("hashes %j as the real sharder does", (text, hash) => {
  expect(xxhash64(text)).toBe(hash);
});

it("assigns keys to the shards that the real sharder chooses", () => {
  const ring = new HashRing(["memcached-2", "memcached-0", "memcached-1"]);
  const chosen = shards.map((_, index) =>
    ring.shardOf(`cache.example.com/Memcached/default/memcached-sample-${index}`),
  );
  expect(chosen).toEqual(shards.map((shard) => `memcached-${shard}`));
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

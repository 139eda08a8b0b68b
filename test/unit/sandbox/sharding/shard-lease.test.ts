import { expect, it } from "vitest";
import { formatMicroTime } from "../../../../src/apimachinery/time.ts";
import type { Lease } from "../../../../src/runtime/leader-election/lease-object.ts";
import { healthOf, isAvailable } from "../../../../src/sandbox/sharding/hash-ring.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

function leaseOf(holderIdentity: string, ageSeconds: number): Lease {
  const renewTime = formatMicroTime(new Date(now - ageSeconds * 1000));
  return {
    metadata: { name: "shard-0" },
    spec: { holderIdentity, leaseDurationSeconds: 15, acquireTime: renewTime, renewTime },
  };
}

it.each([
  ["shard-0", 1, "ready", 14_000, true],
  ["shard-0", 15, "expired", 15_000, true],
  ["shard-0", 29, "expired", 1_000, true],
  ["shard-0", 30, "uncertain", 15_000, true],
  ["", 1, "dead", 74_000, false],
  ["shardlease-controller", 20, "dead", 55_000, false],
  ["shardlease-controller", 75, "orphaned", Infinity, false],
] as const)("a lease of %j, renewed %i s ago, is %s", (holder, age, ...[state, changesIn, available]) => {
  const health = healthOf(leaseOf(holder, age), now);
  expect(health).toEqual({ state, changesIn });
  expect(isAvailable(health)).toBe(available);
});

it("a lease that was never renewed is expired", () => {
  const lease = { metadata: { name: "shard-0" }, spec: { holderIdentity: "shard-0" } };
  expect(healthOf(lease, now)).toEqual({ state: "expired", changesIn: 15_000 });
});

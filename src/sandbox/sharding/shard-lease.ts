import type { Lease } from "../../runtime/leader-election/lease-object.ts";

/** The states of a shard, as in the label of its lease. The first three are available for objects. */
type ShardState = "ready" | "expired" | "uncertain" | "dead" | "orphaned";

/** The state of a shard, and the time until the next one, in milliseconds. */
export interface ShardHealth {
  readonly state: ShardState;
  readonly changesIn: number;
}

const defaultDurationMs = 15_000;
/** The age at which the lease of a dead shard is deleted. */
const timeToLiveMs = 60_000;

/**
 * Returns the health of the shard that a lease stands for. A lease that was not renewed in time keeps its objects for
 * its duration once more, as the shard's server may have been away; the sharder then takes the lease.
 */
export function healthOf({ metadata, spec = {} }: Lease, now: number): ShardHealth {
  const { holderIdentity, acquireTime, renewTime, leaseDurationSeconds } = spec;
  const isComplete = acquireTime && renewTime && leaseDurationSeconds !== undefined;
  const durationMs = isComplete ? leaseDurationSeconds * 1000 : defaultDurationMs;
  const expiresIn = isComplete ? Date.parse(renewTime) + durationMs - now : 0;
  if (!holderIdentity || holderIdentity !== metadata.name) {
    const changesIn = expiresIn + timeToLiveMs;
    return changesIn <= 0 ? { state: "orphaned", changesIn: Infinity } : { state: "dead", changesIn };
  }
  if (expiresIn + durationMs <= 0) return { state: "uncertain", changesIn: durationMs };
  if (expiresIn <= 0) return { state: "expired", changesIn: expiresIn + durationMs };
  return { state: "ready", changesIn: expiresIn };
}

/** Reports whether objects may be assigned to the shard. */
export function isAvailable({ state }: ShardHealth): boolean {
  return state === "ready" || state === "expired" || state === "uncertain";
}

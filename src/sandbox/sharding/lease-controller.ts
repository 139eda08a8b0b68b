import { formatMicroTime } from "../../apimachinery/time.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import { mergePatch } from "../../client/patches.ts";
import { Lease } from "../../runtime/leader-election/lease-object.ts";
import { runController, watch } from "../simulation/context/run-controller.ts";
import type { Client } from "../../client/client.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { ControllerRing, ringLabel, stateLabel } from "../../runtime/sharding/controller-ring.ts";

/** The holder of a lease that the sharder has taken from a dead shard. */
const holderIdentity = "shardlease-controller";

/**
 * Labels the leases of shards with their state, takes leases that are not renewed, and deletes leases of dead shards.
 */
export function runShardLeases(context: SimulationContext, client: Client): Promise<void> {
  return runController(context, {
    sources: [watch(context, Lease)],
    step: async (key) => {
      const lease = await client.getOrUndefined(Lease, key);
      const ring = lease?.metadata.labels?.[ringLabel];
      if (!lease || !ring || !(await client.getOrUndefined(ControllerRing, { name: ring }))) return;
      const now = context.clock.now();
      const { state, changesIn } = healthOf(lease, now);
      if (state === "orphaned") {
        await client.delete(Lease, key).catch(ignoreNotFound);
        return;
      }
      const { resourceVersion, labels } = lease.metadata;
      if (labels?.[stateLabel] !== state) {
        const patch = mergePatch({ metadata: { resourceVersion, labels: { [stateLabel]: state } } });
        const labelled = await client.patch(Lease, key, patch);
        lease.metadata = labelled.metadata;
      }
      if (state === "uncertain") {
        const { leaseDurationSeconds = 15, leaseTransitions = 0 } = lease.spec ?? {};
        const time = formatMicroTime(new Date(now));
        await client.update(Lease, {
          ...lease,
          spec: {
            ...lease.spec,
            holderIdentity,
            leaseDurationSeconds: 2 * leaseDurationSeconds,
            acquireTime: time,
            renewTime: time,
            leaseTransitions: leaseTransitions + 1,
          },
        });
      }
      return changesIn;
    },
  });
}

/** The states of a shard, as in the label of its lease. The first three are available for objects. */
type ShardState = "ready" | "expired" | "uncertain" | "dead" | "orphaned";

/** The state of a shard, and the time until the next one, in milliseconds. */
interface ShardHealth {
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

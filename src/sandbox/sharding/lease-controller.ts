import { formatMicroTime } from "../../apimachinery/time.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import { mergePatch } from "../../client/patches.ts";
import { Lease } from "../../runtime/leader-election/lease-object.ts";
import { runController, watch } from "../simulation/context/run-controller.ts";
import type { Client } from "../../client/client.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { ControllerRing, ringLabel, stateLabel } from "../../runtime/sharding/controller-ring.ts";
import { healthOf } from "./shard-lease.ts";

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

import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import type { ServedKinds } from "../simulation/housekeeping/served-kinds.ts";
import { runShardLeases, HashRings, enqueueRing, shardsOf, type Shards } from "./hash-ring.ts";
import { serveShardWebhook, runSharder, type ShardWebhook } from "./sharder-controller.ts";
import { cloneJson } from "../../apimachinery/clone.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import { Lease } from "../../runtime/leader-election/lease-object.ts";
import { setCondition } from "../../apimachinery/conditions.ts";
import { runController, watch } from "../simulation/context/run-controller.ts";
import type { Client } from "../../client/client.ts";
import { ControllerRing, type RingStatus } from "../../runtime/sharding/controller-ring.ts";
import { MutatingWebhookConfigurationKind } from "../simulation/context/simulated-kinds.ts";
import { configureWebhook } from "./install-sharding.ts";

/** Plays the sharder of kubernetes-controller-sharding until the signal aborts. */
export async function startSharder(context: SimulationContext, kinds: ServedKinds): Promise<void> {
  const rings = new HashRings();
  const client = context.clientFor("system:serviceaccount:sharding-system:sharder");
  const webhook = await serveShardWebhook(context, client, rings);
  try {
    await Promise.all([
      runRings(context, client, webhook),
      runShardLeases(context, client),
      runSharder(context, client, { kinds, rings }),
    ]);
  } finally {
    await webhook.close();
  }
}

/** Has the API server ask the sharder about the objects of each ring, and counts the shards in its status. */
function runRings(context: SimulationContext, client: Client, webhook: ShardWebhook): Promise<void> {
  return runController(context, {
    sources: [watch(context, ControllerRing), watch(context, Lease, enqueueRing(context))],
    step: async ({ name }) => {
      const ring = await client.getOrUndefined(ControllerRing, { name });
      if (!ring || ring.metadata.deletionTimestamp) return;
      const fieldOwner = "controllerring-controller";
      await client.apply(MutatingWebhookConfigurationKind, configureWebhook(ring, webhook), {
        fieldOwner,
        force: true,
      });
      const now = context.clock.now();
      const status = statusOf(ring, await shardsOf(client, name, now), new Date(now));
      if (!equalJson(status, ring.status)) await client.status.update(ControllerRing, { ...ring, status });
    },
  });
}

function statusOf({ metadata, status }: ControllerRing, { count, available }: Shards, now: Date): RingStatus {
  const observedGeneration = metadata.generation ?? 1;
  const conditions = cloneJson(status?.conditions ?? []);
  const ready = {
    type: "Ready",
    status: "True",
    reason: "ReconciliationSucceeded",
    message: "ControllerRing was successfully reconciled",
    observedGeneration,
  } as const;
  setCondition(conditions, ready, () => now);
  return { observedGeneration, shards: count, availableShards: available.length, conditions };
}

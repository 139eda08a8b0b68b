import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import type { ServedKinds } from "../simulation/housekeeping/served-kinds.ts";
import { runShardLeases } from "./lease-controller.ts";
import { runRings } from "./ring-controller.ts";
import { HashRings } from "./hash-ring.ts";
import { serveShardWebhook, runSharder } from "./sharder-controller.ts";

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

import type { Client } from "../../client/client.ts";
import type { EventHandler } from "../../runtime/controller/handlers.ts";
import { Lease } from "../../runtime/leader-election/lease-object.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { ringLabel } from "../../runtime/sharding/controller-ring.ts";
import { HashRing } from "./hash-ring.ts";
import { healthOf, isAvailable } from "./shard-lease.ts";

/** The shards of a ring. */
export interface Shards {
  readonly count: number;
  readonly available: readonly string[];
}

/** Reads the leases of a ring's shards. */
export async function shardsOf(client: Client, ring: string, now: number): Promise<Shards> {
  const { items } = await client.list(Lease, { labels: { [ringLabel]: ring } });
  const available = items.filter((lease) => isAvailable(healthOf(lease, now)));
  return { count: items.length, available: available.map(({ metadata }) => metadata.name).toSorted() };
}

/** Enqueues the ring of a lease whose shard has come, gone, or changed between available and not. */
export function enqueueRing({ clock }: SimulationContext): EventHandler<Lease> {
  const ringOf = ({ metadata }: Lease) => {
    const name = metadata.labels?.[ringLabel];
    return name ? [{ name }] : [];
  };
  const available = (lease: Lease & { metadata: { name: string } }): boolean =>
    isAvailable(healthOf(lease, clock.now()));
  return {
    create: ({ object }, enqueue) => ringOf(object).forEach((ring) => enqueue(ring, 0)),
    update({ objectOld, objectNew }, enqueue) {
      if (available(objectOld) === available(objectNew) && ringOf(objectOld).length > 0) return;
      for (const ring of ringOf(objectNew)) enqueue(ring, 0);
    },
    delete: ({ object }, enqueue) => ringOf(object).forEach((ring) => enqueue(ring, 0)),
  };
}

/** Keeps the hash ring of the last set of shards, as sets rarely change and a ring takes a hundred hashes a shard. */
export class HashRings {
  private readonly known = new Map<string, { readonly shards: string; readonly hashes: HashRing }>();

  of(ring: string, { available }: Shards): HashRing {
    const shards = available.join();
    const known = this.known.get(ring);
    if (known?.shards === shards) return known.hashes;
    const hashes = new HashRing(available);
    this.known.set(ring, { shards, hashes });
    return hashes;
  }
}

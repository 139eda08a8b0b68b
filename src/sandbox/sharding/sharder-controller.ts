import { metadataOnly, type Kind } from "../../apimachinery/kind.ts";
import { objectKey, type Named } from "../../apimachinery/meta.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import type { Client } from "../../client/client.ts";
import { mergePatch } from "../../client/patches.ts";
import { Lease } from "../../runtime/leader-election/lease-object.ts";
import { NamespaceKind } from "../simulation/context/simulated-kinds.ts";
import { runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import type { ServedKinds } from "../simulation/housekeeping/served-kinds.ts";
import { hashKeyOf, membersOf, namespaceMatcherOf, type RingMember } from "./assignment.ts";
import { ControllerRing, drainLabel, shardLabel } from "../../runtime/sharding/controller-ring.ts";
import type { HashRing } from "./hash-ring.ts";
import { enqueueRing, shardsOf, type HashRings } from "./shards-of.ts";

const syncPeriodMs = 5 * 60_000;

/** Moves the objects of each ring to their shards when shards come or go, and every five minutes. */
export function runSharder(
  context: SimulationContext,
  client: Client,
  { kinds, rings }: { readonly kinds: ServedKinds; readonly rings: HashRings },
): Promise<void> {
  return runController(context, {
    sources: [watch(context, ControllerRing), watch(context, Lease, enqueueRing(context))],
    step: async ({ name }) => {
      const ring = await client.getOrUndefined(ControllerRing, { name });
      if (!ring || ring.metadata.deletionTimestamp) return;
      const shards = await shardsOf(client, name, context.clock.now());
      const move = new Movement(client, ring, { available: new Set(shards.available), hashes: rings.of(name, shards) });
      const namespaces = await namespacesOf(client, ring);
      const failures: unknown[] = [];
      for (const member of membersOf(ring)) {
        const kind = kinds
          .having("list", "patch")
          .find(({ group, plural }) => group === member.group && plural === member.resource);
        // The CRD may come later; the next round finds it.
        if (!kind) continue;
        for await (const object of client.listEach(metadataOnly(kind))) {
          const { namespace } = object.metadata;
          if (namespace !== undefined && namespaces.has(namespace)) {
            await move.object(member, kind, object).catch((error: unknown) => failures.push(error));
          }
        }
      }
      // The others are moved first: one that has changed meanwhile is tried again.
      if (failures.length > 0) throw failures[0];
      return syncPeriodMs;
    },
  });
}

async function namespacesOf(client: Client, ring: ControllerRing): Promise<ReadonlySet<string>> {
  const matcher = namespaceMatcherOf(ring);
  const { items } = await client.list(NamespaceKind);
  const selected = items.filter(({ metadata }) => matcher.matches(metadata.labels ?? {}));
  return new Set(selected.map(({ metadata }) => metadata.name));
}

/** The movement of a ring's objects to the shards of now. */
class Movement {
  private readonly client: Client;
  private readonly shardKey: string;
  private readonly drainKey: string;
  private readonly shards: { readonly available: ReadonlySet<string>; readonly hashes: HashRing };

  constructor(client: Client, { metadata }: Named<ControllerRing>, shards: Movement["shards"]) {
    this.client = client;
    this.shardKey = shardLabel(metadata.name);
    this.drainKey = drainLabel(metadata.name);
    this.shards = shards;
  }

  /** Drains an object from a live shard, or takes it from a dead one; the webhook reassigns it. */
  async object(member: RingMember, kind: Kind, object: Named): Promise<void> {
    const key = hashKeyOf(member, kind, object);
    const wanted = key === undefined ? undefined : this.shards.hashes.shardOf(key);
    const current = object.metadata.labels?.[this.shardKey];
    if (!wanted || wanted === current) return;
    // Only a main object is drained: its shard lets go of it, and of its children, at the same time.
    const isDrained = current !== undefined && this.shards.available.has(current) && !member.isControlled;
    const labels = isDrained ? { [this.drainKey]: "true" } : { [this.shardKey]: null, [this.drainKey]: null };
    const { resourceVersion } = object.metadata;
    const patch = mergePatch({ metadata: { resourceVersion, labels } });
    await this.client.patch(metadataOnly(kind), objectKey(object), patch).catch(ignoreNotFound);
  }
}

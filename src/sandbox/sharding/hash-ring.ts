import { createHash } from "node:crypto";
import { parseApiVersion, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, LabelSelector } from "../../apimachinery/meta.ts";
import { labelSelectorMatcher, type LabelMatcher } from "../../apimachinery/selectors.ts";
import { controllerOf } from "../../runtime/objects/owner-references.ts";
import { ControllerRing, ringLabel, stateLabel, type GroupResource } from "../../runtime/sharding/controller-ring.ts";
import type { Client } from "../../client/client.ts";
import type { EventHandler } from "../../runtime/controller/handlers.ts";
import { Lease } from "../../runtime/leader-election/lease-object.ts";
import { position } from "../../apiserver/storage/event-ring.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { formatMicroTime } from "../../apimachinery/time.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import { mergePatch } from "../../client/patches.ts";
import { runController, watch } from "../simulation/context/run-controller.ts";

const tokensPerShard = 100;

/** Distributes keys over shards by consistent hashing: if a shard comes or goes, few keys move. */
export class HashRing {
  private readonly tokens: readonly { readonly hash: bigint; readonly shard: string }[];

  constructor(shards: readonly string[]) {
    const all = new Map<bigint, string>();
    for (const shard of shards) {
      for (let index = 0; index < tokensPerShard; index++) all.set(hashOf(`${shard}${index}`), shard);
    }
    this.tokens = [...all]
      .map(([hash, shard]) => ({ hash, shard }))
      .toSorted((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
  }

  /** Returns the shard of a key: the owner of the first token at or after its hash; `undefined` without shards. */
  shardOf(key: string): string | undefined {
    const hash = hashOf(key);
    const at = position(this.tokens.length, (index) => this.tokens[index]!.hash < hash);
    return (this.tokens[at] ?? this.tokens[0])?.shard;
  }
}

/** Hashes a text to 64 bits. The real sharder has another hash, and other objects on a shard. */
function hashOf(text: string): bigint {
  return createHash("sha256").update(text).digest().readBigUInt64LE();
}

/** A kind of a ring. A controlled one follows the object that controls it. */
export interface RingMember extends GroupResource {
  readonly isControlled: boolean;
}

/** Returns the resources of a ring: the main ones, and those that they control. */
export function membersOf({ spec }: ControllerRing): RingMember[] {
  return (spec?.resources ?? []).flatMap(({ group = "", resource, controlledResources = [] }) => [
    { group, resource, isControlled: false },
    ...controlledResources.map((controlled) => ({ group: "", ...controlled, isControlled: true })),
  ]);
}

/** Finds a resource in a ring. One that is listed twice is a main resource. */
export function memberOf(ring: ControllerRing, { group = "", resource }: GroupResource): RingMember | undefined {
  const found = membersOf(ring).filter((member) => member.group === group && member.resource === resource);
  return found.find(({ isControlled }) => !isControlled) ?? found[0];
}

/**
 * Returns the text that places an object on the hash ring: its own identity, or its controller's. Returns `undefined`
 * for an object without a place: a child without controller, or a name that the server has yet to generate.
 */
export function hashKeyOf(
  { isControlled }: RingMember,
  { group, kind }: Pick<Kind, "group" | "kind">,
  object: KubeObject,
): string | undefined {
  const { namespace = "", name } = object.metadata;
  if (!isControlled) return name ? [group, kind, namespace, name].join("/") : undefined;
  const owner = controllerOf(object);
  if (!owner) return undefined;
  return [parseApiVersion(owner.apiVersion).group, owner.kind, namespace, owner.name].join("/");
}

const everyNamespaceButSystem: LabelSelector = {
  matchExpressions: [
    { key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["kube-system", "sharding-system"] },
  ],
};

/** Returns the selector of the namespaces whose objects a ring distributes. */
export function namespaceSelectorOf({ spec }: ControllerRing): LabelSelector {
  return spec?.namespaceSelector ?? everyNamespaceButSystem;
}

export function namespaceMatcherOf(ring: ControllerRing): LabelMatcher {
  return labelSelectorMatcher(namespaceSelectorOf(ring));
}

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

import { hostname } from "node:os";
import { groupKindOf, type Kind } from "../../apimachinery/kind.ts";
import { labelValueProblems } from "../../apimachinery/label-syntax.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import { checkDns1123Subdomain } from "../../apimachinery/names.ts";
import type { Reader } from "../../client/client.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import {
  drainLabel,
  readRing,
  ringLabel,
  shardLabel,
  type GroupResource,
  type RingResource,
} from "./controller-ring.ts";
import type { ShardingOptions } from "./sharding-options.ts";

/** This process as a shard of a ring: its name, the kinds of the ring, and the labels of the protocol. */
export class Shard {
  readonly ring: string;
  readonly name: string;
  readonly options: ShardingOptions;
  /** @internal The number of running reconciles of each object. */
  readonly runs: Map<string, number> = new Map();
  private readonly resources: readonly RingResource[];

  constructor(ring: string, name: string, resources: readonly RingResource[], options: ShardingOptions = {}) {
    this.ring = ring;
    this.name = name;
    this.resources = resources;
    this.options = options;
  }

  /** The label of an object whose value names its shard. */
  get shardLabel(): string {
    return shardLabel(this.ring);
  }

  /** The label by which the sharder asks the shard of an object to let it go. */
  get drainLabel(): string {
    return drainLabel(this.ring);
  }

  /** The labels of this shard's Lease. */
  get leaseLabels(): Readonly<Record<string, string>> {
    return { [ringLabel]: this.ring };
  }

  /** Reports whether objects of the kind are reconciled by their shard. */
  reconciles(kind: Kind): boolean {
    return this.resources.some((resource) => isOf(kind, resource));
  }

  /** Reports whether the sharder labels objects of the kind: those to reconcile and those that they control. */
  labels(kind: Kind): boolean {
    const lists = (resource: RingResource): boolean =>
      isOf(kind, resource) || (resource.controlledResources ?? []).some((controlled) => isOf(kind, controlled));
    return this.resources.some(lists);
  }

  /** Reports whether the sharder can assign children of an owner to its shard: it looks for the owner in their namespace. */
  canFollow(owner: Kind, child: Kind): boolean {
    return owner.scope === child.scope;
  }

  /** Returns why children of an owner are not where the owner is reconciled; `undefined` if they are, or everywhere. */
  reasonToStray(owner: Kind, child: Kind): string | undefined {
    if (!this.labels(child)) return undefined;
    if (!this.reconciles(owner)) return `the ring shares them out, but not ${groupKindOf(owner)}, which owns them`;
    if (this.reconciles(child))
      return `the ring assigns them by themselves, not with ${groupKindOf(owner)}, which owns them`;
    if (this.canFollow(owner, child)) return undefined;
    return `${groupKindOf(owner)}, which owns them, is ${owner.scope === "Cluster" ? "cluster-scoped" : "namespaced"}`;
  }

  /** Returns the selector of this shard's objects; `undefined` for a kind that is not shared out. */
  selectorOf(kind: Kind): string | undefined {
    return this.labels(kind) ? `${this.shardLabel}=${this.name}` : undefined;
  }

  /** Reports whether the object is assigned to this shard, which may have to let it go. */
  has({ metadata }: KubeObject): boolean {
    return metadata.labels?.[this.shardLabel] === this.name;
  }

  isDraining({ metadata }: KubeObject): boolean {
    return metadata.labels?.[this.drainLabel] !== undefined;
  }
}

/** Reads the ring of the options, and returns this process as a shard of it; `undefined` without a ring. */
export async function openShard(reader: Reader, options: ShardingOptions): Promise<Shard | undefined> {
  const { ring, shard } = options;
  if (!ring) return undefined;
  const name = shard || hostname();
  const [complaint] = [checkDns1123Subdomain(name), ...labelValueProblems(name)].filter(Boolean);
  if (complaint) throw new TsopError("TSOP_SHARD_NAME", { name, reason: complaint });
  return new Shard(ring, name, await readRing(reader, ring), options);
}

function isOf(kind: Kind, { group = "", resource }: GroupResource): boolean {
  return kind.group === group && kind.plural === resource;
}

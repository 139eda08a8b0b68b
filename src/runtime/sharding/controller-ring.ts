import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { Condition, KubeObject, LabelSelector } from "../../apimachinery/meta.ts";
import { isForbidden, isNotFound } from "../../apimachinery/status.ts";
import type { Reader } from "../../client/client.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** A resource of any version; the core group is absent or empty. */
export interface GroupResource {
  group?: string;
  resource: string;
}

/** A kind that is shared out, with the kinds of the objects that its objects control. */
export interface RingResource extends GroupResource {
  controlledResources?: GroupResource[];
}

/** The object that says which kinds are shared out among the shards of a ring. */
export interface ControllerRing extends KubeObject {
  spec?: {
    resources?: RingResource[];
    /** The namespaces whose objects are shared out; the sharder has a default. */
    namespaceSelector?: LabelSelector;
  };
  status?: RingStatus;
}

/** The status of a ring, which the sharder writes. */
export interface RingStatus {
  observedGeneration?: number;
  shards: number;
  availableShards: number;
  conditions?: Condition[];
}

const prefix = "alpha.sharding.timebertt.dev/";

/** The label of a shard's Lease: the name of its ring. */
export const ringLabel: string = `${prefix}controllerring`;

/** The label of a shard's Lease: its state, as the sharder sees it. */
export const stateLabel: string = `${prefix}state`;

/** Returns the label of an object whose value names its shard. */
export function shardLabel(ring: string): string {
  return `shard.${prefix}${ring}`;
}

/** Returns the label by which the sharder asks the shard of an object to let it go. */
export function drainLabel(ring: string): string {
  return `drain.${prefix}${ring}`;
}

export const ControllerRing: Kind<ControllerRing> = defineKind<ControllerRing>({
  group: "sharding.timebertt.dev",
  version: "v1alpha1",
  kind: "ControllerRing",
  plural: "controllerrings",
  scope: "Cluster",
});

/** Reads the resources of a ring. */
export async function readRing(reader: Reader, name: string): Promise<readonly RingResource[]> {
  try {
    return (await reader.get(ControllerRing, { name })).spec?.resources ?? [];
  } catch (error) {
    const isUnknown = error instanceof TsopError && error.code === "TSOP_RESOURCE_NOT_SERVED";
    if (isNotFound(error) || isUnknown) throw new TsopError("TSOP_RING_MISSING", { name }, { cause: error });
    if (isForbidden(error)) throw new TsopError("TSOP_RING_FORBIDDEN", { name }, { cause: error });
    throw error;
  }
}

import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { Condition, KubeObject, LabelSelector } from "../../apimachinery/meta.ts";

/** The kinds whose objects are distributed over the shards of an operator. */
export interface ControllerRing extends KubeObject {
  spec?: { resources?: RingResource[]; namespaceSelector?: LabelSelector };
  status?: RingStatus;
}

export interface RingStatus {
  readonly observedGeneration: number;
  readonly shards: number;
  readonly availableShards: number;
  readonly conditions: Condition[];
}

export interface GroupResource {
  readonly group?: string;
  readonly resource: string;
}

export interface RingResource extends GroupResource {
  readonly controlledResources?: GroupResource[];
}

export const ControllerRingKind: Kind<ControllerRing> = defineKind<ControllerRing>({
  group: "sharding.timebertt.dev",
  version: "v1alpha1",
  kind: "ControllerRing",
  plural: "controllerrings",
  scope: "Cluster",
});

const prefix = "alpha.sharding.timebertt.dev/";

/** The label of a shard's lease: the name of its ring. */
export const ringLabel: string = `${prefix}controllerring`;
/** The label of a shard's lease: the state that the sharder sees. */
export const stateLabel: string = `${prefix}state`;

/** Returns the label of an object whose value is its shard. */
export function shardLabel(ring: string): string {
  return `shard.${prefix}${ring}`;
}

/** Returns the label that asks the shard of an object to let it go. */
export function drainLabel(ring: string): string {
  return `drain.${prefix}${ring}`;
}

import { scaledIntOrPercent } from "../../../apimachinery/int-or-percent.ts";
import type { Deployment, ReplicaSet } from "../context/simulated-kinds.ts";

/** The size that a ReplicaSet gets. */
export interface Scaling {
  readonly replicaSet: ReplicaSet;
  readonly from: number;
  readonly to: number;
}

/** Returns how far a rollout may exceed and fall below the wanted number. */
export function limits(deployment: Deployment): { maxSurge: number; maxUnavailable: number } {
  const { strategy } = deployment.spec;
  if (strategy?.type === "Recreate") return { maxSurge: 0, maxUnavailable: 0 };
  const maxSurge = scaledIntOrPercent(strategy?.rollingUpdate?.maxSurge ?? "25%", wanted(deployment), "up");
  const maxUnavailable = scaledIntOrPercent(
    strategy?.rollingUpdate?.maxUnavailable ?? "25%",
    wanted(deployment),
    "down",
  );
  // With both at zero the rollout could never take a step.
  return {
    maxSurge,
    maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : Math.min(maxUnavailable, wanted(deployment)),
  };
}

export function scaleTo(replicaSet: ReplicaSet, to: number): Scaling[] {
  const from = specReplicas(replicaSet);
  return from === to ? [] : [{ replicaSet, from, to }];
}

export function wanted(deployment: Deployment): number {
  return deployment.spec.replicas ?? 1;
}

export function specReplicas(replicaSet: ReplicaSet): number {
  return replicaSet.spec.replicas ?? 1;
}

export function isActive(replicaSet: ReplicaSet): boolean {
  return specReplicas(replicaSet) > 0;
}

export function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

export function byAge({ metadata: a }: ReplicaSet, { metadata: b }: ReplicaSet): number {
  const key = ({ creationTimestamp = "", name = "" }: typeof a): string => `${creationTimestamp} ${name}`;
  return key(a) < key(b) ? -1 : 1;
}

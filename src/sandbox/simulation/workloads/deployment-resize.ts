import type { Deployment, ReplicaSet } from "../context/simulated-kinds.ts";
import { byAge, isActive, limits, scaleTo, specReplicas, sum, wanted, type Scaling } from "./deployment-sizes.ts";
import { desiredAnnotation, maxAnnotation, sizeAnnotations } from "./replica-set-annotations.ts";

/** Reports whether the replicas of a deployment have changed since its ReplicaSets were scaled. */
export function isResized(deployment: Deployment, owned: readonly ReplicaSet[]): boolean {
  return owned.filter(isActive).some((replicaSet) => {
    const before = replicaSet.metadata.annotations?.[desiredAnnotation];
    return before !== undefined && Number(before) !== wanted(deployment);
  });
}

/**
 * Plans the sizes of the ReplicaSets of a deployment that is resized, or paused. During a rollout, each keeps its share,
 * so that neither the pods of the new template nor those of the old ones become more than they were.
 */
export function planResize(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): Scaling[] {
  const active = [...old, ...(current ? [current] : [])].filter(isActive);
  if (active.length < 2) {
    const only = active[0] ?? current ?? old.toSorted(byAge).at(-1);
    return only ? scaleTo(only, wanted(deployment)) : [];
  }
  if (current && isSaturated(deployment, current)) return old.flatMap((replicaSet) => scaleTo(replicaSet, 0));
  if (deployment.spec.strategy?.type === "Recreate") return [];
  const shares = planShares(deployment, active);
  return shares.filter(({ replicaSet, from, to }) => from !== to || isMarkedOtherwise(deployment, replicaSet));
}

/** Shares the pods that are to be added or removed, from the largest ReplicaSet on; the remainder is the largest's. */
function planShares(deployment: Deployment, active: readonly ReplicaSet[]): Scaling[] {
  const most = mostPods(deployment);
  const change = most - sum(active, specReplicas);
  const bySize = active.toSorted(
    (a, b) => specReplicas(b) - specReplicas(a) || (change > 0 ? byAge(b, a) : byAge(a, b)),
  );
  let left = change;
  const shares = bySize.map((replicaSet) => {
    const share = fraction(deployment, replicaSet, most);
    const taken = change === 0 ? 0 : change > 0 ? Math.min(share, left) : Math.max(share, left);
    left -= taken;
    return taken;
  });
  return bySize.map((replicaSet, at) => {
    const from = specReplicas(replicaSet);
    return { replicaSet, from, to: Math.max(0, from + shares[at]! + (at === 0 ? left : 0)) };
  });
}

/** Returns by how much a ReplicaSet grows if it keeps its share. */
function fraction(deployment: Deployment, replicaSet: ReplicaSet, most: number): number {
  const size = specReplicas(replicaSet);
  const before = Number(replicaSet.metadata.annotations?.[maxAnnotation] ?? 0) || (deployment.status?.replicas ?? 0);
  if (most === 0) return -size;
  return before === 0 ? 0 : Math.round((size * most) / before) - size;
}

function mostPods(deployment: Deployment): number {
  return wanted(deployment) === 0 ? 0 : wanted(deployment) + limits(deployment).maxSurge;
}

/** Reports whether a ReplicaSet has all pods of the deployment, and was told so. */
function isSaturated(deployment: Deployment, replicaSet: ReplicaSet): boolean {
  const told = Number(replicaSet.metadata.annotations?.[desiredAnnotation]);
  return [specReplicas(replicaSet), told, replicaSet.status?.availableReplicas].every(
    (count) => count === wanted(deployment),
  );
}

function isMarkedOtherwise(deployment: Deployment, { metadata }: ReplicaSet): boolean {
  const marks = Object.entries(sizeAnnotations(wanted(deployment), limits(deployment).maxSurge));
  return marks.some(([name, value]) => metadata.annotations?.[name] !== value);
}

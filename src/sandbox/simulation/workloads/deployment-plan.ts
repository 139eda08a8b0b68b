import { scaledIntOrPercent } from "../../../apimachinery/int-or-percent.ts";
import { controllerReference } from "./controlled-pods.ts";
import { newestAnnotations, revisionAnnotation, sizeAnnotations } from "./replica-set-annotations.ts";
import { DeploymentKind, type Deployment, type ReplicaSet } from "../context/simulated-kinds.ts";
import { templateHash, sameTemplate } from "./template-hash.ts";

/** The next step of a deployment; every list may be empty. */
export interface DeploymentPlan {
  /** A ReplicaSet to create for the current template. */
  readonly create?: ReplicaSet;
  readonly scale: readonly { readonly replicaSet: ReplicaSet; readonly from: number; readonly to: number }[];
  /** ReplicaSets beyond the history limit. */
  readonly remove: readonly ReplicaSet[];
  /** The revision that the deployment and its newest ReplicaSet should show. */
  readonly revision: string;
  readonly current?: ReplicaSet;
}

/** Plans the next step of a rollout: which ReplicaSets to create, scale and remove. `owned` are those it controls. */
export function planDeployment(deployment: Deployment, owned: readonly ReplicaSet[]): DeploymentPlan {
  const current = currentReplicaSet(deployment, owned);
  const old = owned.filter((replicaSet) => replicaSet !== current);
  const latest = Math.max(0, ...old.map(revisionOf));
  const revision = String(current && revisionOf(current) > latest ? revisionOf(current) : latest + 1);
  const plan = { scale: [], remove: findOutdated(deployment, old), revision };
  if (deployment.spec.paused) return { ...plan, ...(current && { current }), scale: planResize(deployment, owned) };
  const recreate = deployment.spec.strategy?.type === "Recreate";
  if (recreate && old.some((replicaSet) => isActive(replicaSet) || replicaSet.status?.replicas)) {
    return { ...plan, ...(current && { current }), scale: old.flatMap((replicaSet) => scaleTo(replicaSet, 0)) };
  }
  if (!current) return { ...plan, create: newReplicaSet(deployment, old, revision) };
  const scale = recreate ? scaleTo(current, wanted(deployment)) : planRoll(deployment, current, old);
  return { ...plan, current, scale };
}

/** Finds the ReplicaSet of the deployment's template, the oldest if there are several. */
export function currentReplicaSet(deployment: Deployment, owned: readonly ReplicaSet[]): ReplicaSet | undefined {
  return owned
    .filter((replicaSet) => sameTemplate(replicaSet.spec.template, deployment.spec.template))
    .toSorted((a, b) => ((a.metadata.creationTimestamp ?? "") < (b.metadata.creationTimestamp ?? "") ? -1 : 1))[0];
}

function newReplicaSet(deployment: Deployment, old: readonly ReplicaSet[], revision: string): ReplicaSet {
  const { metadata, spec } = deployment;
  const hash = templateHash(spec.template, deployment.status?.collisionCount ?? 0);
  const labels = { ...spec.template.metadata?.labels, "pod-template-hash": hash };
  const { maxSurge } = limits(deployment);
  const room = wanted(deployment) + maxSurge - sum(old, specReplicas);
  const replicas = old.some(isActive) ? Math.max(0, Math.min(wanted(deployment), room)) : wanted(deployment);
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${metadata.name}-${hash}`,
      ...(metadata.namespace && { namespace: metadata.namespace }),
      labels,
      annotations: {
        ...sizeAnnotations(wanted(deployment), maxSurge),
        ...newestAnnotations(deployment, undefined, revision),
      },
      ownerReferences: [controllerReference(DeploymentKind, deployment)],
    },
    spec: {
      replicas,
      ...(spec.minReadySeconds && { minReadySeconds: spec.minReadySeconds }),
      selector: { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, "pod-template-hash": hash } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}

/**
 * Plans one step of a rolling update: scales the new ReplicaSet up within the surge, and the old ones down within
 * availability, the oldest first.
 */
function planRoll(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): DeploymentPlan["scale"] {
  const { maxSurge, maxUnavailable } = limits(deployment);
  const want = wanted(deployment);
  const total = specReplicas(current) + sum(old, specReplicas);
  const up =
    specReplicas(current) < want ? Math.min(want, specReplicas(current) + Math.max(0, want + maxSurge - total)) : want;
  if (up !== specReplicas(current)) return scaleTo(current, up);
  const least = want - maxUnavailable;
  const room = total - least - unavailable(current);
  if (room <= 0) return [];
  // Pods that are not available go first: nobody misses them.
  const active = old.filter(isActive).toSorted(byAge);
  const cleaned = scaleDown(active, room, unavailable);
  if (cleaned.length > 0) return cleaned;
  return scaleDown(active, sum([current, ...old], available) - least, specReplicas);
}

/** Scales ReplicaSets down by `count` pods in total, and each by no more than `most`. */
function scaleDown(
  replicaSets: readonly ReplicaSet[],
  count: number,
  most: (replicaSet: ReplicaSet) => number,
): DeploymentPlan["scale"] {
  let left = Math.max(0, count);
  return replicaSets.flatMap((replicaSet) => {
    const down = Math.min(left, most(replicaSet));
    left -= down;
    return scaleTo(replicaSet, specReplicas(replicaSet) - down);
  });
}

function available({ status }: ReplicaSet): number {
  return status?.availableReplicas ?? 0;
}

function unavailable(replicaSet: ReplicaSet): number {
  return Math.max(0, specReplicas(replicaSet) - available(replicaSet));
}

function byAge({ metadata: a }: ReplicaSet, { metadata: b }: ReplicaSet): number {
  const key = ({ creationTimestamp = "", name = "" }: typeof a): string => `${creationTimestamp} ${name}`;
  return key(a) < key(b) ? -1 : 1;
}

/** Scales a paused deployment, which still follows its replica count, on the one ReplicaSet that has pods. */
function planResize(deployment: Deployment, owned: readonly ReplicaSet[]): DeploymentPlan["scale"] {
  const active = owned.filter(isActive);
  const only = active.length === 1 ? active[0] : currentReplicaSet(deployment, owned);
  return only ? scaleTo(only, wanted(deployment)) : [];
}

function findOutdated(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet[] {
  const empty = old.filter((replicaSet) => !isActive(replicaSet) && !replicaSet.status?.replicas);
  const surplus = empty.length - (deployment.spec.revisionHistoryLimit ?? 10);
  return surplus > 0 ? empty.toSorted((a, b) => revisionOf(a) - revisionOf(b)).slice(0, surplus) : [];
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

function scaleTo(replicaSet: ReplicaSet, to: number): DeploymentPlan["scale"][number][] {
  const from = specReplicas(replicaSet);
  return from === to ? [] : [{ replicaSet, from, to }];
}

function revisionOf(replicaSet: ReplicaSet): number {
  return Number(replicaSet.metadata.annotations?.[revisionAnnotation] ?? 0);
}

export function wanted(deployment: Deployment): number {
  return deployment.spec.replicas ?? 1;
}

export function specReplicas(replicaSet: ReplicaSet): number {
  return replicaSet.spec.replicas ?? 1;
}

function isActive(replicaSet: ReplicaSet): boolean {
  return specReplicas(replicaSet) > 0;
}

export function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

import { byAge } from "../context/run-controller.ts";
import { controllerReference } from "./controlled-pods.ts";
import { DeploymentKind, type Deployment, type DeploymentStatus, type ReplicaSet } from "../context/simulated-kinds.ts";
import { templateHash, sameTemplate } from "./controller-revisions.ts";
import { scaledIntOrPercent } from "../../../apimachinery/int-or-percent.ts";

/** The next step of a deployment; every list may be empty. */
export interface DeploymentPlan {
  /** A ReplicaSet to create for the current template. */
  readonly create?: ReplicaSet;
  readonly scale: readonly Scaling[];
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
  const latest = old.map(revisionOf).reduce((a, b) => (a > b ? a : b), 0n);
  const revision = String(current && revisionOf(current) > latest ? revisionOf(current) : latest + 1n);
  const plan = { scale: [], remove: [], revision, ...(current && { current }) };
  const { paused, strategy } = deployment.spec;
  if (paused) {
    // The newest ReplicaSet with pods follows the size.
    const newest = current && isActive(current) ? current : (old.filter(isActive).toSorted(byAge).at(-1) ?? current);
    const others = sum(owned, specReplicas) - (newest ? specReplicas(newest) : 0);
    const scale = newest ? scaleTo(newest, Math.max(0, wanted(deployment) - others)) : [];
    return { ...plan, remove: findOutdated(deployment, old), scale };
  }
  const recreate = strategy?.type === "Recreate";
  if (recreate && old.some((replicaSet) => isActive(replicaSet) || hasPods(replicaSet))) {
    return { ...plan, scale: old.flatMap((replicaSet) => scaleTo(replicaSet, 0)) };
  }
  if (!current) return { ...plan, create: newReplicaSet(deployment, old, revision) };
  const scale = recreate ? scaleTo(current, wanted(deployment)) : planRoll(deployment, current, old);
  const isDone = scale.length === 0 && isComplete(deployment, deployment.status);
  return { ...plan, scale, remove: isDone ? findOutdated(deployment, old) : [] };
}

/** Reports whether all pods of a deployment are of its template, and available. */
export function isComplete(deployment: Deployment, status: DeploymentStatus = {}): boolean {
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  return updatedReplicas === wanted(deployment) && replicas === updatedReplicas && availableReplicas >= updatedReplicas;
}

/** Finds the ReplicaSet of the deployment's template, the oldest if there are several. */
export function currentReplicaSet(deployment: Deployment, owned: readonly ReplicaSet[]): ReplicaSet | undefined {
  return owned
    .filter((replicaSet) => sameTemplate(replicaSet.spec.template, deployment.spec.template))
    .toSorted(byAge)[0];
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
function planRoll(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): Scaling[] {
  const { maxSurge, maxUnavailable } = limits(deployment);
  const want = wanted(deployment);
  const total = specReplicas(current) + sum(old, specReplicas);
  const up =
    specReplicas(current) < want ? Math.min(want, specReplicas(current) + Math.max(0, want + maxSurge - total)) : want;
  if (up !== specReplicas(current)) return scaleTo(current, up);
  const least = want - maxUnavailable;
  const room = total - least - unavailable(current);
  if (room <= 0) return [];
  // Deletes unavailable pods first, which serve no requests.
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
): Scaling[] {
  let left = Math.max(0, count);
  return replicaSets.flatMap((replicaSet) => {
    const down = Math.min(left, most(replicaSet));
    left -= down;
    return scaleTo(replicaSet, specReplicas(replicaSet) - down);
  });
}

/** Returns the number of available pods, without those that the ReplicaSet gives up before its status says so. */
function available(replicaSet: ReplicaSet): number {
  return Math.min(replicaSet.status?.availableReplicas ?? 0, specReplicas(replicaSet));
}

function unavailable(replicaSet: ReplicaSet): number {
  return Math.max(0, specReplicas(replicaSet) - available(replicaSet));
}

/** Returns the ReplicaSets beyond the history limit that have no pods, the oldest revisions first. */
function findOutdated({ spec }: Deployment, old: readonly ReplicaSet[]): ReplicaSet[] {
  const surplus = Math.max(0, old.length - (spec.revisionHistoryLimit ?? 10));
  const oldest = old.toSorted((a, b) => Number(revisionOf(a) - revisionOf(b))).slice(0, surplus);
  return oldest.filter((replicaSet) => !isActive(replicaSet) && !replicaSet.status?.replicas);
}

function hasPods({ status }: ReplicaSet): boolean {
  return Boolean(status?.replicas || status?.terminatingReplicas);
}

function revisionOf(replicaSet: ReplicaSet): bigint {
  return parseRevision(replicaSet.metadata.annotations?.[revisionAnnotation]);
}

/** The size that a ReplicaSet gets. */
interface Scaling {
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

function scaleTo(replicaSet: ReplicaSet, to: number): Scaling[] {
  const from = specReplicas(replicaSet);
  return from === to ? [] : [{ replicaSet, from, to }];
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

export const revisionAnnotation = "deployment.kubernetes.io/revision";
const historyAnnotation = "deployment.kubernetes.io/revision-history";

/** Returns the annotations of the newest ReplicaSet: the deployment's, its revision, and its former revisions. */
export function newestAnnotations(
  deployment: Deployment,
  replicaSet: ReplicaSet | undefined,
  revision: string,
): Record<string, string> {
  const before = replicaSet?.metadata.annotations ?? {};
  const { [revisionAnnotation]: last, [historyAnnotation]: history } = before;
  const isNew = last !== undefined && parseRevision(last) < parseRevision(revision);
  return {
    ...before,
    ...ownAnnotations(deployment),
    [revisionAnnotation]: revision,
    ...(isNew && { [historyAnnotation]: history ? `${history},${last}` : last }),
  };
}

/** Parses a revision, a 64-bit integer; invalid texts count as 0. */
function parseRevision(text = ""): bigint {
  return /^-?\d+$/.test(text) ? BigInt(text) : 0n;
}

/** Returns the annotations with the wanted and the largest number of pods. */
export function sizeAnnotations(wanted: number, maxSurge: number): Record<string, string> {
  return {
    "deployment.kubernetes.io/desired-replicas": String(wanted),
    "deployment.kubernetes.io/max-replicas": String(wanted + maxSurge),
  };
}

/** Returns the deployment's annotations without those that belong to kubectl and to the controller. */
function ownAnnotations({ metadata }: Deployment): Record<string, string> {
  const kept = Object.entries(metadata.annotations ?? {}).filter(
    ([name]) =>
      name !== "kubectl.kubernetes.io/last-applied-configuration" && !name.startsWith("deployment.kubernetes.io/"),
  );
  return Object.fromEntries(kept);
}

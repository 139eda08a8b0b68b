import { currentReplicaSet, limits, specReplicas, sum, wanted } from "./deployment-plan.ts";
import type { Deployment, DeploymentStatus, ReplicaSet, WorkloadCondition } from "./simulated-kinds.ts";
import { setWorkloadCondition } from "./workload-conditions.ts";

/** The status that the ReplicaSets amount to. `now` is the time of a condition that changes. */
export function deploymentStatus(deployment: Deployment, owned: readonly ReplicaSet[], now: string): DeploymentStatus {
  const current = currentReplicaSet(deployment, owned);
  const counts = countPods(owned, current);
  const available = (counts.availableReplicas ?? 0) >= wanted(deployment) - limits(deployment).maxUnavailable;
  const conditions = setWorkloadCondition(
    deployment.status?.conditions ?? [],
    { type: "Available", ...(available ? enough : tooFew) },
    now,
  );
  const progress = progressing(deployment, { current, counts, now });
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...counts,
    ...(deployment.status?.collisionCount !== undefined && { collisionCount: deployment.status.collisionCount }),
    conditions: progress
      ? setWorkloadCondition(conditions, progress, now, { touch: hasMoved(deployment, counts) })
      : conditions,
  };
}

const enough = {
  status: "True",
  reason: "MinimumReplicasAvailable",
  message: "Deployment has minimum availability.",
} as const;
const tooFew = {
  status: "False",
  reason: "MinimumReplicasUnavailable",
  message: "Deployment does not have minimum availability.",
} as const;

/** Counts of nothing are left out, as the API's own encoding does. */
function countPods(owned: readonly ReplicaSet[], current: ReplicaSet | undefined): DeploymentStatus {
  const availableReplicas = sum(owned, ({ status }) => status?.availableReplicas ?? 0);
  const counts = {
    replicas: sum(owned, ({ status }) => status?.replicas ?? 0),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sum(owned, ({ status }) => status?.readyReplicas ?? 0),
    availableReplicas,
    unavailableReplicas: Math.max(0, sum(owned, specReplicas) - availableReplicas),
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

interface Rollout {
  readonly current: ReplicaSet | undefined;
  readonly counts: DeploymentStatus;
  readonly now: string;
}

function progressing(deployment: Deployment, rollout: Rollout): WorkloadCondition | undefined {
  const type = "Progressing";
  if (deployment.spec.paused) {
    return { type, status: "Unknown", reason: "DeploymentPaused", message: "Deployment is paused" };
  }
  if (!rollout.current) return undefined;
  const subject = `ReplicaSet "${rollout.current.metadata.name}"`;
  if (isComplete(deployment, rollout.counts)) {
    return {
      type,
      status: "True",
      reason: "NewReplicaSetAvailable",
      message: `${subject} has successfully progressed.`,
    };
  }
  if (isLate(deployment, rollout)) {
    return {
      type,
      status: "False",
      reason: "ProgressDeadlineExceeded",
      message: `${subject} has timed out progressing.`,
    };
  }
  return { type, status: "True", reason: "ReplicaSetUpdated", message: `${subject} is progressing.` };
}

function isComplete(deployment: Deployment, counts: DeploymentStatus): boolean {
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = counts;
  return updatedReplicas === wanted(deployment) && replicas === updatedReplicas && availableReplicas >= updatedReplicas;
}

function isLate(deployment: Deployment, { counts, now }: Rollout): boolean {
  const before = deployment.status?.conditions?.find(({ type }) => type === "Progressing");
  if (!before || before.reason === "NewReplicaSetAvailable" || hasMoved(deployment, counts)) return false;
  const seconds = (Date.parse(now) - Date.parse(before.lastUpdateTime ?? now)) / 1000;
  return seconds > (deployment.spec.progressDeadlineSeconds ?? 600);
}

/** More pods are updated, ready or available than before: the deadline starts again. */
function hasMoved({ status }: Deployment, counts: DeploymentStatus): boolean {
  const names = ["updatedReplicas", "readyReplicas", "availableReplicas"] as const;
  return names.some((name) => (counts[name] ?? 0) > (status?.[name] ?? 0));
}

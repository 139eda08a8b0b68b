import { currentReplicaSet, isComplete, limits, specReplicas, sum, wanted } from "./deployment-plan.ts";
import type { Deployment, DeploymentStatus, ReplicaSet, WorkloadCondition } from "../context/simulated-kinds.ts";
import { moveCondition } from "../context/workload-conditions.ts";

/** Computes the status from the ReplicaSets. `now` is the time of a condition that changes. */
export function deploymentStatus(deployment: Deployment, owned: readonly ReplicaSet[], now: string): DeploymentStatus {
  const current = currentReplicaSet(deployment, owned);
  const counts = countPods(owned, current);
  const available = (counts.availableReplicas ?? 0) >= wanted(deployment) - limits(deployment).maxUnavailable;
  let conditions = pauseConditions(deployment, now);
  conditions = moveCondition(conditions, { type: "Available", ...(available ? enough : tooFew) }, now);
  const progress = progressCondition(deployment, { current, counts, conditions, now });
  if (progress) {
    const touched = hasMoved(deployment, counts) ? conditions.map(clearProgressReason) : conditions;
    conditions = moveCondition(touched, progress, now);
  }
  const failure = findReplicaFailure(owned, current);
  conditions = failure
    ? moveCondition(conditions, failure, now)
    : conditions.filter(({ type }) => type !== "ReplicaFailure");
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...counts,
    ...(deployment.status?.collisionCount !== undefined && { collisionCount: deployment.status.collisionCount }),
    conditions,
  };
}

/** Returns the milliseconds until the progress deadline of a rollout; undefined if none is in progress. */
export function deadlineIn({ spec, status }: Deployment, now: number): number | undefined {
  const progress = status?.conditions?.find(({ type }) => type === "Progressing");
  const isOver = progress?.status !== "True" || progress.reason === "NewReplicaSetAvailable";
  if (isOver || spec.paused) return undefined;
  const seconds = spec.progressDeadlineSeconds ?? 600;
  // Times have whole seconds, and the deadline itself is still in time.
  return Math.max(0, Date.parse(progress.lastUpdateTime ?? "") + (seconds + 1) * 1000 - now);
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

/** Counts the pods. Zero is omitted, as the API does. */
function countPods(owned: readonly ReplicaSet[], current: ReplicaSet | undefined): DeploymentStatus {
  const availableReplicas = sum(owned, ({ status }) => status?.availableReplicas ?? 0);
  const counts = {
    replicas: sum(owned, ({ status }) => status?.replicas ?? 0),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sum(owned, ({ status }) => status?.readyReplicas ?? 0),
    availableReplicas,
    unavailableReplicas: Math.max(0, sum(owned, specReplicas) - availableReplicas),
  };
  const present = Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
  return { ...present, terminatingReplicas: sum(owned, ({ status }) => status?.terminatingReplicas ?? 0) };
}

interface Rollout {
  readonly current: ReplicaSet | undefined;
  readonly counts: DeploymentStatus;
  readonly conditions: readonly WorkloadCondition[];
  readonly now: string;
}

/** Returns the conditions with the pause in them: it stops the deadline, and its end restarts it. */
function pauseConditions(deployment: Deployment, now: string): WorkloadCondition[] {
  const conditions = deployment.status?.conditions ?? [];
  const { status = "", reason = "" } = conditions.find(({ type }) => type === "Progressing") ?? {};
  if (reason === "ProgressDeadlineExceeded") return conditions;
  const isPaused = status === "Unknown" && reason === "DeploymentPaused";
  if (isPaused === (deployment.spec.paused ?? false)) return conditions;
  const next = isPaused
    ? progressing("Unknown", "DeploymentResumed", "Deployment is resumed")
    : progressing("Unknown", "DeploymentPaused", "Deployment is paused");
  return moveCondition(conditions, next, now);
}

function progressing(status: WorkloadCondition["status"], reason: string, message: string): WorkloadCondition {
  return { type: "Progressing", status, reason, message };
}

function progressCondition(deployment: Deployment, rollout: Rollout): WorkloadCondition | undefined {
  const before = rollout.conditions.find(({ type }) => type === "Progressing");
  const { replicas = 0, updatedReplicas = 0 } = rollout.counts;
  const wasComplete = replicas === updatedReplicas && before?.reason === "NewReplicaSetAvailable";
  if (deployment.spec.paused || wasComplete) return undefined;
  const subject = rollout.current
    ? `ReplicaSet "${rollout.current.metadata.name}"`
    : `Deployment "${deployment.metadata.name}"`;
  if (isComplete(deployment, rollout.counts))
    return progressing("True", "NewReplicaSetAvailable", `${subject} has successfully progressed.`);
  if (hasMoved(deployment, rollout.counts))
    return progressing("True", "ReplicaSetUpdated", `${subject} is progressing.`);
  if (isLate(deployment, before, rollout.now))
    return progressing("False", "ProgressDeadlineExceeded", `${subject} has timed out progressing.`);
  return undefined;
}

function isLate({ spec }: Deployment, before: WorkloadCondition | undefined, now: string): boolean {
  if (!before || before.reason === "NewReplicaSetAvailable") return false;
  if (before.reason === "ProgressDeadlineExceeded") return true;
  const seconds = (Date.parse(now) - Date.parse(before.lastUpdateTime ?? now)) / 1000;
  return seconds > (spec.progressDeadlineSeconds ?? 600);
}

/** Reports whether the rollout has progressed, which restarts the deadline. */
function hasMoved({ status = {} }: Deployment, counts: DeploymentStatus): boolean {
  const names = ["updatedReplicas", "readyReplicas", "availableReplicas"] as const;
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas;
  return old(counts) < old(status) || names.some((name) => (counts[name] ?? 0) > (status[name] ?? 0));
}

/** Clears the reason, so that the same condition counts as a new one with a new time. */
function clearProgressReason(condition: WorkloadCondition): WorkloadCondition {
  return condition.type === "Progressing" ? { ...condition, reason: "" } : condition;
}

/** Returns the failure of a ReplicaSet to create pods, preferring the newest one. */
function findReplicaFailure(
  owned: readonly ReplicaSet[],
  current: ReplicaSet | undefined,
): WorkloadCondition | undefined {
  for (const { status } of current ? [current, ...owned] : owned) {
    const failure = status?.conditions?.find(({ type }) => type === "ReplicaFailure");
    if (failure) return failure;
  }
  return undefined;
}

import { labelSelectorMatcher } from "../../../apimachinery/selectors.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { controllerUid, mostOfStep, mostPods } from "./controlled-pods.ts";
import { availableIn, isFinished, isLeaving, isReady } from "../pods/pod-state.ts";
import type { Pod, ReplicaSet, ReplicaSetStatus, WorkloadCondition } from "../context/simulated-kinds.ts";

/** The next step of a ReplicaSet; every list may be empty. */
export interface ReplicaSetPlan {
  readonly create: number;
  readonly remove: readonly Pod[];
  /** Pods that match but have no controller. */
  readonly adopt: readonly Pod[];
  /** Pods it controls that no longer match. */
  readonly release: readonly Pod[];
  /** Pods that count as replicas. */
  readonly active: readonly Pod[];
  /** Number of pods that are being deleted. */
  readonly terminating: number;
}

/** Plans the next step of a ReplicaSet from the pods of its namespace. */
export function planReplicaSet(replicaSet: ReplicaSet, pods: readonly Pod[]): ReplicaSetPlan {
  const matcher = labelSelectorMatcher(replicaSet.spec.selector);
  const living = pods.filter((pod) => !isFinished(pod) && !isLeaving(pod));
  const matching = living.filter((pod) => matcher.matches(pod.metadata.labels ?? {}));
  const mine = living.filter((pod) => controllerUid(pod) === replicaSet.metadata.uid);
  const adopt = matching.filter((pod) => controllerUid(pod) === undefined);
  const release = mine.filter((pod) => !matching.includes(pod));
  const active = [...mine.filter((pod) => matching.includes(pod)), ...adopt];
  const surplus = active.length - Math.min(replicaSet.spec.replicas ?? 1, mostPods);
  const remove = surplus > 0 ? active.toSorted(byWorth).slice(0, Math.min(surplus, mostOfStep)) : [];
  const terminating = pods.filter(
    (pod) => isLeaving(pod) && !isFinished(pod) && controllerUid(pod) === replicaSet.metadata.uid,
  ).length;
  return { create: Math.min(Math.max(0, -surplus), mostOfStep), remove, adopt, release, active, terminating };
}

export interface ActivePods extends Pick<ReplicaSetPlan, "active" | "terminating"> {
  /** The message of the server that rejected a pod. */
  readonly refusal?: string | undefined;
}

/** Computes the status from the active pods, and the time until it changes because a pod becomes available. */
export function replicaSetStatus(
  replicaSet: ReplicaSet,
  { active, terminating, refusal }: ActivePods,
  now: number,
): { status: ReplicaSetStatus; changesIn?: number } {
  const ready = active.filter(isReady);
  const left = ready.map((pod) => availableIn(pod, replicaSet.spec.minReadySeconds, now)).filter((ms) => ms > 0);
  const labels = Object.entries(replicaSet.spec.template.metadata?.labels ?? {});
  const labelled = active.filter((pod) => labels.every(([name, value]) => pod.metadata.labels?.[name] === value));
  const available = ready.length - left.length;
  const conditions = failureConditions(replicaSet, refusal, now);
  const status = {
    replicas: active.length,
    ...(labelled.length && { fullyLabeledReplicas: labelled.length }),
    ...(ready.length && { readyReplicas: ready.length }),
    ...(available && { availableReplicas: available }),
    terminatingReplicas: terminating,
    observedGeneration: replicaSet.metadata.generation ?? 0,
    ...(conditions.length && { conditions }),
  };
  return left.length ? { status, changesIn: Math.min(...left) } : { status };
}

function failureConditions({ status }: ReplicaSet, refusal: string | undefined, now: number): WorkloadCondition[] {
  if (refusal === undefined) return [];
  const type = "ReplicaFailure";
  const before = status?.conditions?.find((condition) => condition.type === type);
  const lastTransitionTime = timestamp(now);
  return [before ?? { type, status: "True", reason: "FailedCreate", message: refusal, lastTransitionTime }];
}

/** Orders pods for deletion: without a node, not running, not ready, youngest. */
export function byWorth(a: Pod, b: Pod): number {
  const worth = (pod: Pod) => [
    pod.spec.nodeName ? 1 : 0,
    pod.status?.phase === "Running" ? 1 : 0,
    isReady(pod) ? 1 : 0,
  ];
  const [left, right] = [worth(a), worth(b)];
  const difference = left.map((value, index) => value - right[index]!).find((value) => value !== 0);
  return difference ?? ((a.metadata.creationTimestamp ?? "") > (b.metadata.creationTimestamp ?? "") ? -1 : 1);
}

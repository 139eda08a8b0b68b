import { isLeaving } from "../pods/pod-state.ts";
import type { Pod, Job } from "../context/simulated-kinds.ts";

/** Finalizer that keeps a pod until it is counted. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";
export const completionIndex = "batch.kubernetes.io/job-completion-index";

export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) ?? false;
}

export function isSucceeded({ status }: Pod): boolean {
  return status?.phase === "Succeeded";
}

/** Reports whether a pod has failed; one that is deleted has, too, unless the job waits for its end. */
export function isFailed(job: Job, pod: Pod): boolean {
  if (pod.status?.phase === "Failed") return true;
  return isLeaving(pod) && !isSucceeded(pod) && !replacesOnlyFailed(job);
}

/** Reports whether pods that are deleted are replaced only when they have ended. */
export function replacesOnlyFailed({ spec }: Job): boolean {
  return spec.podReplacementPolicy === "Failed";
}

export function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === "Indexed";
}

/** Returns the index of a pod; NaN if it is missing. */
export function indexOf({ metadata }: Pod): number {
  return Number(metadata.annotations?.[completionIndex]);
}

/** Returns the time when the last container of a pod stopped, or else the time of its end or its deletion. */
export function endOf({ metadata, status }: Pod): number {
  const ends = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(state.terminated?.finishedAt ?? ""));
  if (ends.length > 0 && !ends.some(Number.isNaN)) return Math.max(...ends);
  const unready = status?.conditions?.find(({ type, status }) => type === "Ready" && status === "False");
  if (unready?.lastTransitionTime) return Date.parse(unready.lastTransitionTime);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp = "" } = metadata;
  if (deletionTimestamp) return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return Date.parse(creationTimestamp) || 0;
}

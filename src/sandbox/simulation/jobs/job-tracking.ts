import type { Job, JobStatus } from "./job-kind.ts";
import { isIgnored } from "./job-policies.ts";
import { isLeaving } from "../pods/pod-state.ts";
import type { Pod } from "../context/simulated-kinds.ts";

/** Finalizer that keeps a pod until it is counted. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";

export interface JobCounts {
  /** Finished pods, counted or about to be. */
  readonly succeeded: Tally;
  readonly failed: Tally;
  /** Pods that are counted, or never have to be: they lose their finalizer. */
  readonly release: readonly Pod[];
}

interface Tally {
  readonly counted: number;
  /** UIDs of pods that are held until they are in the status. */
  readonly uncounted: readonly string[];
}

/**
 * Counts each finished pod once: the status names it, then it loses its finalizer, then it becomes part of a number. No
 * pod is forgotten or counted twice if a step fails.
 */
export function trackPods(job: Job, pods: readonly Pod[]): JobCounts {
  const held = pods.filter(isTracked);
  const known = job.status?.uncountedTerminatedPods ?? {};
  const failed = held.filter((pod) => isFailed(job, pod));
  // Pods that are left when a success policy is met do not count.
  const isEnough = job.status?.conditions?.some(({ type }) => type === "SuccessCriteriaMet");
  const ignored = new Set(failed.filter((pod) => isIgnored(job, pod) || (isEnough && isLeaving(pod))));
  const named = new Set([...(known.succeeded ?? []), ...(known.failed ?? [])]);
  const isCounted = ({ metadata }: Pod) => named.has(metadata.uid ?? "");
  return {
    succeeded: tally(job.status?.succeeded, known.succeeded, held.filter(isSucceeded)),
    failed: tally(
      job.status?.failed,
      known.failed,
      failed.filter((pod) => !ignored.has(pod)),
    ),
    release: held.filter((pod) => isCounted(pod) || ignored.has(pod) || (isLeaving(pod) && job.spec.suspend)),
  };
}

/** Reports whether a pod has failed; one that is deleted before its end has, too, unless the job is suspended. */
export function isFailed({ spec }: Job, pod: Pod): boolean {
  if (pod.status?.phase === "Failed") return true;
  return isLeaving(pod) && !spec.suspend && pod.status?.phase !== "Succeeded";
}

export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) ?? false;
}

/** Returns the sum of counted and uncounted pods. */
export function totalOf({ counted, uncounted }: Tally): number {
  return counted + uncounted.length;
}

/** Returns the counts as fields of a status. Zero is omitted, as the API does. */
export function countedStatus({ succeeded, failed }: JobCounts): JobStatus {
  return {
    ...(succeeded.counted && { succeeded: succeeded.counted }),
    ...(failed.counted && { failed: failed.counted }),
    uncountedTerminatedPods: {
      ...(succeeded.uncounted.length && { succeeded: [...succeeded.uncounted] }),
      ...(failed.uncounted.length && { failed: [...failed.uncounted] }),
    },
  };
}

function isSucceeded(pod: Pod): boolean {
  return pod.status?.phase === "Succeeded";
}

function tally(before = 0, known: readonly string[] = [], held: readonly Pod[] = []): Tally {
  const waiting = held.map(({ metadata }) => metadata.uid ?? "");
  const released = known.filter((uid) => !waiting.includes(uid));
  return { counted: before + released.length, uncounted: waiting };
}

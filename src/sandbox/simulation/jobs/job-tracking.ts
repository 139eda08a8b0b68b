import type { Job, JobStatus } from "./job-kind.ts";
import { isLeaving } from "../pods/pod-state.ts";
import type { Pod } from "../context/simulated-kinds.ts";

/** Keeps a pod until its end has been counted. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";

export interface JobCounts {
  /** Pods that ended, counted or about to be. */
  readonly succeeded: Tally;
  readonly failed: Tally;
  /** Pods that have been, or never have to be, counted: they may go. */
  readonly release: readonly Pod[];
}

interface Tally {
  readonly counted: number;
  /** Uids of pods that are held until the status tells of them. */
  readonly uncounted: readonly string[];
}

/**
 * Counts the pods that ended, each once: first the status names them, then they lose their finalizer, then they are
 * numbers. So no pod is forgotten or counted twice when a step in between fails.
 */
export function trackPods(job: Job, pods: readonly Pod[]): JobCounts {
  const held = pods.filter(isTracked);
  const known = job.status?.uncountedTerminatedPods ?? {};
  const isFailed = (pod: Pod) =>
    pod.status?.phase === "Failed" || (isLeaving(pod) && !job.spec.suspend && pod.status?.phase !== "Succeeded");
  const named = new Set([...(known.succeeded ?? []), ...(known.failed ?? [])]);
  const isCounted = ({ metadata }: Pod) => named.has(metadata.uid ?? "");
  return {
    succeeded: tally(job.status?.succeeded, known.succeeded, held.filter(isSucceeded)),
    failed: tally(job.status?.failed, known.failed, held.filter(isFailed)),
    release: held.filter((pod) => isCounted(pod) || (isLeaving(pod) && job.spec.suspend)),
  };
}

export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) ?? false;
}

/** Both numbers together. */
export function totalOf({ counted, uncounted }: Tally): number {
  return counted + uncounted.length;
}

/** The fields of a status that tell of the counts; nothing is left out as the API's own encoding does. */
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

import { isLeaving } from "../pods/pod-state.ts";
import type { Pod, Job, JobStatus } from "../context/simulated-kinds.ts";
import { decisionOf } from "./job-conditions.ts";
import { hasIndex, type JobIndexes } from "./job-indexes.ts";
import { isFailed, isSucceeded, isTracked } from "./job-pods.ts";
import { isIgnored } from "./job-policies.ts";

export interface JobCounts {
  /** Finished pods, counted or about to be. */
  readonly succeeded: Tally;
  readonly failed: Tally;
  /** The failures, including pods that are not counted before their successors exist. */
  readonly failures: number;
  /** The pods that have ended since the last time. */
  readonly ended: { readonly succeeded: readonly Pod[]; readonly failed: readonly Pod[] };
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
 * pod is forgotten or counted twice if a step fails. Successes of an indexed job are named by their index.
 */
export function trackPods(job: Job, pods: readonly Pod[], indexes: JobIndexes | undefined): JobCounts {
  const held = pods.filter(isTracked);
  const known = job.status?.uncountedTerminatedPods ?? {};
  const named = new Set([...(known.succeeded ?? []), ...(known.failed ?? [])]);
  const decision = decisionOf(job);
  const succeeded = held.filter(isSucceeded);
  // When the job is decided, the pods that it has deleted are not waited for.
  const failed = held.filter((pod) => isFailed(job, pod) || (decision && isLeaving(pod) && !isSucceeded(pod)));
  const isReplaced = (pod: Pod) => !decision && [...(indexes?.replaced.values() ?? [])].includes(pod);
  // Pods that are left when a success policy is met do not count, nor do those beyond the last index.
  const isUncounted = (pod: Pod) =>
    isIgnored(job, pod) ||
    (decision?.type === "Complete" && isLeaving(pod)) ||
    (indexes !== undefined && !hasIndex(job, pod));
  const counting = failed.filter((pod) => !isUncounted(pod));
  const isNew = ({ metadata }: Pod) => !named.has(metadata.uid ?? "");
  const tallies = {
    succeeded: indexes
      ? { counted: indexes.completed.length, uncounted: [] }
      : tally(job.status?.succeeded, known.succeeded, succeeded),
    failed: tally(
      job.status?.failed,
      known.failed,
      counting.filter((pod) => !isReplaced(pod)),
    ),
  };
  return {
    ...tallies,
    failures: totalOf(tallies.failed) + counting.filter(isReplaced).length,
    ended: { succeeded: succeeded.filter(isNew), failed: failed.filter(isNew) },
    release: [
      ...succeeded.filter((pod) => indexes !== undefined || !isNew(pod)),
      ...failed.filter((pod) => !isReplaced(pod) && (!isNew(pod) || isUncounted(pod))),
    ],
  };
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

function tally(before = 0, known: readonly string[] = [], held: readonly Pod[] = []): Tally {
  const waiting = held.map(({ metadata }) => metadata.uid ?? "");
  const released = known.filter((uid) => !waiting.includes(uid));
  return { counted: before + released.length, uncounted: waiting };
}

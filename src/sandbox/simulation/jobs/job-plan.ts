import { mostOfStep, mostPods } from "../workloads/controlled-pods.ts";
import { byWorth } from "../workloads/replica-set-controller.ts";
import { isFinished, isLeaving, isReady } from "../pods/pod-state.ts";
import type { Pod, Job, JobStatus } from "../context/simulated-kinds.ts";
import {
  formatRanges,
  completedIndexes,
  freeIndexes,
  hasIndex,
  indexOf,
  isTracked,
  replacesOnlyFailed,
  isFailed,
  isSucceeded,
  endOf,
  finishedCondition,
  isOver,
  suspendConditions,
  verdictConditions,
  completion,
  earlyVerdict,
  decisionOf,
  isIgnored,
} from "./job-verdict.ts";

export interface JobPlan {
  /** An entry for each pod to create: its index in indexed jobs. */
  readonly create: readonly (number | undefined)[];
  readonly remove: readonly Pod[];
  /** Pods to remove that do not count as failed. */
  readonly drop: readonly Pod[];
  /** Pods that the status has counted. */
  readonly release: readonly Pod[];
  readonly status: JobStatus;
  /** Milliseconds until pods that failed are replaced. */
  readonly retryIn?: number | undefined;
  readonly backOff: BackOff;
}

/** Plans the next step of a job, and computes its status. `backOff` comes from its last step. */
export function planJob(job: Job, pods: readonly Pod[], now: string, backOff: BackOff = noBackOff): JobPlan {
  const living = pods.filter((pod) => !isFinished(pod) && !isLeaving(pod));
  if (isOver(job)) {
    const release = pods.filter(isTracked);
    return { create: [], remove: living, drop: [], release, status: job.status ?? {}, backOff: noBackOff };
  }
  const completed = completedIndexes(job, pods);
  const counts = trackPods(job, pods, completed);
  const next = addToBackOff(backOff, counts.ended);
  const succeeded = totalOf(counts.succeeded);
  const leaving = pods.filter((pod) => !isFinished(pod) && isLeaving(pod));
  const early = earlyVerdict(job, { pods, failures: totalOf(counts.failed), now });
  const change = early
    ? { create: [], drop: living }
    : planPods(job, { living, leaving, succeeded, completed, backOff: next, now: Date.parse(now) });
  const { create, drop, retryIn } = { retryIn: undefined, ...change };
  const staying = living.filter((pod) => !drop.includes(pod));
  const active = staying.length + create.length;
  const verdict = early ?? completion(job, succeeded, active);
  const uncounted = counts.succeeded.uncounted.length + counts.failed.uncounted.length;
  const isEnded = verdict !== undefined && uncounted + living.length + leaving.length === 0;
  // A suspended job starts again when it is resumed.
  const startTime = job.spec.suspend && !verdict ? undefined : (job.status?.startTime ?? now);
  const conditions = verdict ? verdictConditions(job, verdict, { isEnded, now }) : suspendConditions(job, now);
  const status: JobStatus = {
    ...(active && { active }),
    ready: staying.filter(isReady).length,
    ...countedStatus(counts),
    ...(completed?.length && { completedIndexes: formatRanges(completed) }),
    ...(startTime && { startTime }),
    ...(isEnded && verdict?.type === "Complete" && { completionTime: now }),
    terminating: leaving.length,
    ...(conditions.length > 0 && { conditions }),
  };
  const removed = early ? { remove: drop, drop: [] } : { remove: [], drop };
  return { create, ...removed, release: counts.release, status, retryIn, backOff: next };
}

/** Returns the milliseconds until the job is deleted because of its TTL; `undefined` without a TTL. */
export function timeToLive({ spec, status }: Job, now: number): number | undefined {
  const end = finishedCondition(status)?.lastTransitionTime;
  if (spec.ttlSecondsAfterFinished === undefined || !end) return undefined;
  return Math.max(0, Date.parse(end) + spec.ttlSecondsAfterFinished * 1000 - now);
}

/** Returns the milliseconds until the job's active deadline; `undefined` without a deadline. */
export function deadlineIn(job: Job, now: number): number | undefined {
  const { activeDeadlineSeconds: seconds } = job.spec;
  const { startTime } = job.status ?? {};
  if (seconds === undefined || startTime === undefined || isOver(job)) return undefined;
  return Math.max(0, Date.parse(startTime) + seconds * 1000 - now);
}

interface Situation {
  readonly living: readonly Pod[];
  readonly leaving: readonly Pod[];
  readonly succeeded: number;
  readonly completed: readonly number[] | undefined;
  readonly backOff: BackOff;
  readonly now: number;
}

/** Plans the pods of a job that continues: surplus pods are deleted first, then others are created. */
function planPods(
  job: Job,
  { living, leaving, succeeded, completed, backOff, now }: Situation,
): Pick<JobPlan, "create" | "drop" | "retryIn"> {
  const wanted = Math.min(wantedPods(job, living.length, succeeded), mostPods);
  const drop = findSurplus(job, living, living.length - wanted);
  const kept = [...living, ...(replacesOnlyFailed(job) ? leaving : [])];
  const count = Math.min(Math.max(0, wanted - kept.length), mostOfStep);
  if (drop.length > 0 || count === 0) return { create: [], drop };
  const retryIn = backOffLeft(backOff, now);
  if (retryIn > 0) return { create: [], drop, retryIn };
  const create = completed
    ? freeIndexes(job, completed, { kept, count })
    : Array.from({ length: count }, () => undefined);
  return { create, drop };
}

/** Returns how many pods should run. Without completions, no pod is started or stopped after the first success. */
export function wantedPods({ spec }: Job, active: number, succeeded: number): number {
  const { suspend, completions, parallelism = 1 } = spec;
  if (suspend) return 0;
  if (completions === undefined) return succeeded > 0 ? active : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/** Returns the surplus pods, including pods that share an index or have an index outside of the job. */
function findSurplus(job: Job, living: readonly Pod[], count: number): Pod[] {
  const ranked = living.toSorted(byWorth);
  const isIndexed = job.spec.completionMode === "Indexed";
  const best = new Map(ranked.filter((pod) => hasIndex(job, pod)).map((pod) => [indexOf(pod), pod]));
  const useless = isIndexed ? ranked.filter((pod) => best.get(indexOf(pod)) !== pod) : [];
  const useful = ranked.filter((pod) => !useless.includes(pod));
  return [...useless, ...useful.slice(0, Math.max(0, count - useless.length))];
}

interface JobCounts {
  /** Finished pods, counted or about to be. */
  readonly succeeded: Tally;
  readonly failed: Tally;
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
function trackPods(job: Job, pods: readonly Pod[], completed: readonly number[] | undefined): JobCounts {
  const held = pods.filter(isTracked);
  const known = job.status?.uncountedTerminatedPods ?? {};
  const named = new Set([...(known.succeeded ?? []), ...(known.failed ?? [])]);
  const decision = decisionOf(job);
  const succeeded = held.filter(isSucceeded);
  // When the job is decided, the pods that it has deleted are not waited for.
  const failed = held.filter((pod) => isFailed(job, pod) || (decision && isLeaving(pod) && !isSucceeded(pod)));
  // Pods beyond the last index do not count.
  const isUncounted = (pod: Pod) => isIgnored(job, pod) || (completed !== undefined && !hasIndex(job, pod));
  const counting = failed.filter((pod) => !isUncounted(pod));
  const isNew = ({ metadata }: Pod) => !named.has(metadata.uid ?? "");
  const tallies = {
    succeeded: completed
      ? { counted: completed.length, uncounted: [] }
      : tally(job.status?.succeeded, known.succeeded, succeeded),
    failed: tally(job.status?.failed, known.failed, counting),
  };
  return {
    ...tallies,
    ended: { succeeded: succeeded.filter(isNew), failed: failed.filter(isNew) },
    release: [
      ...succeeded.filter((pod) => completed !== undefined || !isNew(pod)),
      ...failed.filter((pod) => !isNew(pod) || isUncounted(pod)),
    ],
  };
}

/** Returns the sum of counted and uncounted pods. */
function totalOf({ counted, uncounted }: Tally): number {
  return counted + uncounted.length;
}

/** Returns the counts as fields of a status. Zero is omitted, as the API does. */
function countedStatus({ succeeded, failed }: JobCounts): JobStatus {
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

const firstMs = 10_000;
const longestMs = 600_000;

/** The failures of a job since its last success. */
export interface BackOff {
  readonly failures: number;
  /** The time of the last one. */
  readonly lastFailure: number;
}

export const noBackOff: BackOff = { failures: 0, lastFailure: 0 };

/** Counts pods that have ended since the last time. */
export function addToBackOff(before: BackOff, ended: { succeeded: readonly Pod[]; failed: readonly Pod[] }): BackOff {
  const lastSuccess = Math.max(...ended.succeeded.map(endOf));
  const since = ended.failed.map(endOf).filter((end) => end > lastSuccess);
  const { failures, lastFailure } = ended.succeeded.length > 0 ? noBackOff : before;
  return { failures: failures + since.length, lastFailure: Math.max(lastFailure, ...since) };
}

/** Returns the delay before failed pods are replaced: ten seconds after the first failure, doubled each time. */
export function backOffLeft({ failures, lastFailure }: BackOff, now: number): number {
  if (failures === 0) return 0;
  return Math.max(0, lastFailure + Math.min(firstMs * 2 ** (failures - 1), longestMs) - now);
}

import { mostOfStep, mostPods } from "../workloads/controlled-pods.ts";
import { byWorth } from "../workloads/replica-set-plan.ts";
import { isFinished, isLeaving, isReady } from "../pods/pod-state.ts";
import type { Pod, Job, JobStatus } from "../context/simulated-kinds.ts";
import { formatRanges } from "./index-ranges.ts";
import { addToBackOff, backOffLeft, noBackOff, type BackOff } from "./job-back-off.ts";
import { finishedCondition, isOver, suspendConditions, verdictConditions } from "./job-conditions.ts";
import { failuresOf, findIndexes, freeIndexes, hasIndex, type JobIndexes } from "./job-indexes.ts";
import { endOf, indexOf, isTracked, replacesOnlyFailed } from "./job-pods.ts";
import { countedStatus, totalOf, trackPods } from "./job-tracking.ts";
import { completion, earlyVerdict } from "./job-verdict.ts";

export interface JobPlan {
  /** An entry for each pod to create: its index in indexed jobs. */
  readonly create: readonly (number | undefined)[];
  readonly indexes?: JobIndexes | undefined;
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
  const indexes = findIndexes(job, pods);
  const counts = trackPods(job, pods, indexes);
  const next = addToBackOff(backOff, counts.ended);
  const succeeded = totalOf(counts.succeeded);
  const leaving = pods.filter((pod) => !isFinished(pod) && isLeaving(pod));
  const early = earlyVerdict(job, { pods, failures: counts.failures, indexes, now });
  const change = early
    ? { create: [], drop: living }
    : planPods(job, { living, leaving, succeeded, indexes, backOff: next, now: Date.parse(now) });
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
    ...indexStatus(indexes),
    ...(startTime && { startTime }),
    ...(isEnded && verdict?.type === "Complete" && { completionTime: now }),
    terminating: leaving.length,
    ...(conditions.length > 0 && { conditions }),
  };
  const removed = early ? { remove: drop, drop: [] } : { remove: [], drop };
  return { create, indexes, ...removed, release: counts.release, status, retryIn, backOff: next };
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
  readonly indexes: JobIndexes | undefined;
  readonly backOff: BackOff;
  readonly now: number;
}

/** Plans the pods of a job that continues: surplus pods are deleted first, then others are created. */
function planPods(
  job: Job,
  { living, leaving, succeeded, indexes, backOff, now }: Situation,
): Pick<JobPlan, "create" | "drop" | "retryIn"> {
  const wanted = Math.min(wantedPods(job, living.length, succeeded), mostPods);
  const drop = findSurplus(job, living, living.length - wanted);
  const kept = [...living, ...(replacesOnlyFailed(job) ? leaving : [])];
  const count = Math.min(Math.max(0, wanted - kept.length), mostOfStep);
  if (drop.length > 0 || count === 0) return { create: [], drop };
  if (indexes?.failed) {
    const free = freeIndexes(job, indexes, { kept, count });
    const waits = free.map((index) => indexWait(indexes.replaced.get(index), now));
    const retryIn = Math.min(...waits.filter((wait) => wait > 0));
    const create = free.filter((_, at) => waits[at] === 0);
    return { create, drop, ...(Number.isFinite(retryIn) && { retryIn }) };
  }
  const retryIn = backOffLeft(backOff, now);
  if (retryIn > 0) return { create: [], drop, retryIn };
  const create = indexes ? freeIndexes(job, indexes, { kept, count }) : Array.from({ length: count }, () => undefined);
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

function indexWait(replaced: Pod | undefined, now: number): number {
  return replaced ? backOffLeft({ failures: failuresOf(replaced), lastFailure: endOf(replaced) }, now) : 0;
}

function indexStatus(indexes: JobIndexes | undefined): JobStatus {
  const { completed = [], failed } = indexes ?? {};
  return {
    ...(completed.length > 0 && { completedIndexes: formatRanges(completed) }),
    ...(failed && { failedIndexes: formatRanges(failed) }),
  };
}

import { backOffLeft } from "./job-back-off.ts";
import type { Job, JobStatus } from "./job-kind.ts";
import { isFinished, isLeaving, isReady } from "../pods/pod-state.ts";
import { jobFailureOf, parseRanges, successOf } from "./job-policies.ts";
import { countedStatus, isFailed, isTracked, totalOf, trackPods } from "./job-tracking.ts";
import type { Pod, WorkloadCondition } from "../context/simulated-kinds.ts";

export const completionIndex = "batch.kubernetes.io/job-completion-index";

export interface JobPlan {
  /** An entry for each pod to create: its index in indexed jobs. */
  readonly create: readonly (number | undefined)[];
  readonly remove: readonly Pod[];
  /** Pods that the status has counted. */
  readonly release: readonly Pod[];
  readonly status: JobStatus;
  /** Milliseconds until pods that failed are replaced. */
  readonly retryIn?: number;
}

/** Plans the next step of a job, and computes its status. */
export function planJob(job: Job, pods: readonly Pod[], now: string): JobPlan {
  const living = pods.filter((pod) => !isFinished(pod) && !isLeaving(pod));
  if (isOver(job)) return { create: [], remove: living, release: pods.filter(isTracked), status: job.status ?? {} };
  const counts = trackPods(job, pods);
  const succeeded = totalOf(counts.succeeded);
  const completed = job.spec.completionMode === "Indexed" ? findCompletedIndexes(job, pods) : [];
  const verdict = verdictOf(job, { pods, succeeded, completed, failed: totalOf(counts.failed), now });
  const stops = verdict !== undefined || (job.spec.suspend ?? false);
  const remove = stops ? living : [];
  const wanted = stops ? [] : findMissing(job, pods, { living, succeeded });
  const retryIn = wanted.length > 0 ? backOffLeft(pods, Date.parse(now)) : 0;
  const create = retryIn > 0 ? [] : wanted;
  const active = stops ? 0 : living.length + create.length;
  // A suspended job starts again when it is resumed.
  const startTime = job.spec.suspend ? undefined : (job.status?.startTime ?? now);
  const uncounted = counts.succeeded.uncounted.length + counts.failed.uncounted.length;
  const terminating = pods.filter((pod) => !isFinished(pod) && isLeaving(pod)).length;
  const isEnded = verdict !== undefined && uncounted + living.length + terminating === 0;
  const conditions = [...conditionsOf(job, now), ...(verdict ? verdictConditions(job, verdict, { isEnded, now }) : [])];
  const status: JobStatus = {
    ...(active && { active }),
    ready: stops ? 0 : living.filter(isReady).length,
    ...countedStatus(counts),
    ...(job.spec.completionMode === "Indexed" && { completedIndexes: formatRanges(completed) }),
    ...(startTime && { startTime }),
    ...(isEnded && verdict?.type === "Complete" && { completionTime: now }),
    terminating,
    ...(conditions.length > 0 && { conditions }),
  };
  return { create, remove, release: counts.release, status, ...(retryIn > 0 && { retryIn }) };
}

/** Reports whether a job has completed or failed. */
export function isOver({ status }: Job): boolean {
  return finishedCondition(status) !== undefined;
}

/** Returns the milliseconds until the job is deleted because of its TTL; undefined if it has none. */
export function timeToLive({ spec, status }: Job, now: number): number | undefined {
  const end = finishedCondition(status)?.lastTransitionTime;
  if (spec.ttlSecondsAfterFinished === undefined || !end) return undefined;
  return Math.max(0, Date.parse(end) + spec.ttlSecondsAfterFinished * 1000 - now);
}

/** Returns the milliseconds until the job's active deadline; undefined if it has none. */
export function deadlineIn(job: Job, now: number): number | undefined {
  const { activeDeadlineSeconds: seconds } = job.spec;
  const { startTime } = job.status ?? {};
  if (seconds === undefined || startTime === undefined || isOver(job)) return undefined;
  return Math.max(0, Date.parse(startTime) + seconds * 1000 - now);
}

function finishedCondition(status: JobStatus | undefined): WorkloadCondition | undefined {
  return status?.conditions?.find(
    ({ type, status }) => status === "True" && (type === "Complete" || type === "Failed"),
  );
}

interface Verdict {
  readonly type: "Complete" | "Failed";
  readonly reason: string;
  readonly message: string;
}

interface Evidence {
  readonly pods: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
  /** The completed indexes of an indexed job. */
  readonly completed: readonly number[];
  readonly now: string;
}

function verdictOf(job: Job, { pods, succeeded, failed, completed, now }: Evidence): Verdict | undefined {
  const { spec, status } = job;
  // A verdict is final, even if pods that are deleted change the counts.
  for (const { type: target, reason = "", message = "" } of status?.conditions ?? []) {
    if (target === "SuccessCriteriaMet") return { type: "Complete", reason, message };
    if (target === "FailureTarget") return { type: "Failed", reason, message };
  }
  const failure = pods.filter((pod) => isFailed(job, pod)).flatMap((pod) => jobFailureOf(job, pod) ?? [])[0];
  if (failure !== undefined) return { type: "Failed", reason: "PodFailurePolicy", message: failure };
  if (failed > (spec.backoffLimit ?? 6)) {
    return { type: "Failed", reason: "BackoffLimitExceeded", message: "Job has reached the specified backoff limit" };
  }
  const age = status?.startTime ? (Date.parse(now) - Date.parse(status.startTime)) / 1000 : 0;
  if (spec.activeDeadlineSeconds !== undefined && age >= spec.activeDeadlineSeconds) {
    return { type: "Failed", reason: "DeadlineExceeded", message: "Job was active longer than specified deadline" };
  }
  const success = successOf(job, completed);
  if (success !== undefined) return { type: "Complete", reason: "SuccessPolicy", message: success };
  // Without completions, one success completes the job.
  if (succeeded < (spec.completions ?? 1)) return undefined;
  return { type: "Complete", reason: "CompletionsReached", message: "Reached expected number of succeeded pods" };
}

function findMissing(
  job: Job,
  pods: readonly Pod[],
  { living, succeeded }: { living: readonly Pod[]; succeeded: number },
): (number | undefined)[] {
  const { spec } = job;
  const parallelism = spec.parallelism ?? 1;
  const left = spec.completions === undefined ? (succeeded > 0 ? 0 : parallelism) : spec.completions - succeeded;
  const count = Math.max(0, Math.min(parallelism, left) - living.length);
  if (spec.completionMode !== "Indexed") return Array.from({ length: count }, () => undefined);
  const taken = new Set([...findCompletedIndexes(job, pods), ...living.map(indexOf)]);
  const free = Array.from({ length: spec.completions ?? 1 }, (_, index) => index).filter((index) => !taken.has(index));
  return free.slice(0, count);
}

/** Returns the completed indexes: those in the status, whose pods may be deleted, and those of succeeded pods. */
function findCompletedIndexes({ status }: Job, pods: readonly Pod[]): number[] {
  const recorded = parseRanges(status?.completedIndexes ?? "");
  const done = pods.filter(({ status }) => status?.phase === "Succeeded").map(indexOf);
  return [...new Set([...recorded, ...done])].sort((a, b) => a - b);
}

function indexOf({ metadata }: Pod): number {
  return Number(metadata.annotations?.[completionIndex]);
}

/** Formats indexes as `0-2,5`. */
function formatRanges(indexes: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const index of indexes) {
    const last = spans.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else spans.push([index, index]);
  }
  return spans
    .map(([from, to]) => (from === to ? String(from) : `${from}${to === from + 1 ? "," : "-"}${to}`))
    .join(",");
}

function conditionsOf({ spec, status }: Job, now: string): WorkloadCondition[] {
  const known = status?.conditions ?? [];
  const suspended = known.find(({ type }) => type === "Suspended");
  if ((suspended?.status === "True") === (spec.suspend ?? false)) return known;
  const next: WorkloadCondition = spec.suspend
    ? condition("Suspended", { reason: "JobSuspended", message: "Job suspended" }, now)
    : { ...condition("Suspended", { reason: "JobResumed", message: "Job resumed" }, now), status: "False" };
  return [...known.filter((other) => other !== suspended), next];
}

/** Returns the conditions of a verdict: one as soon as it is known, another when all pods are counted. */
function verdictConditions(
  { status }: Job,
  { type, ...why }: Verdict,
  { isEnded, now }: { isEnded: boolean; now: string },
): WorkloadCondition[] {
  const first = type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
  const isTold = status?.conditions?.some((condition) => condition.type === first);
  return [...(isTold ? [] : [condition(first, why, now)]), ...(isEnded ? [condition(type, why, now)] : [])];
}

function condition(type: string, why: { reason: string; message: string }, now: string): WorkloadCondition {
  return { type, status: "True", ...why, lastProbeTime: now, lastTransitionTime: now };
}

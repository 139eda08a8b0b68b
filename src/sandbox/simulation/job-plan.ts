import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import { isFinished, isReady } from "./replica-set-plan.ts";
import type { Pod, PodTemplate, WorkloadCondition } from "./simulated-kinds.ts";

export interface Job extends KubeObject {
  spec: JobSpec;
  status?: JobStatus;
}

export interface JobSpec {
  parallelism?: number;
  completions?: number;
  completionMode?: "NonIndexed" | "Indexed";
  backoffLimit?: number;
  activeDeadlineSeconds?: number;
  ttlSecondsAfterFinished?: number;
  suspend?: boolean;
  template: PodTemplate;
}

export interface JobStatus {
  active?: number;
  ready?: number;
  succeeded?: number;
  failed?: number;
  completedIndexes?: string;
  startTime?: string;
  completionTime?: string;
  terminating?: number;
  uncountedTerminatedPods?: object;
  conditions?: WorkloadCondition[];
}

export const JobKind: Kind<Job> = defineKind({
  group: "batch",
  version: "v1",
  kind: "Job",
  plural: "jobs",
  subresources: ["status"],
});

export const completionIndex = "batch.kubernetes.io/job-completion-index";

export interface JobPlan {
  /** How many pods to create; indexed jobs have one index each. */
  readonly create: readonly (number | undefined)[];
  readonly remove: readonly Pod[];
  readonly status: JobStatus;
}

/** The next step of a job, and the status that its pods amount to. */
export function planJob(job: Job, pods: readonly Pod[], now: string): JobPlan {
  const living = pods.filter((pod) => !isFinished(pod) && !pod.metadata.deletionTimestamp);
  const succeeded = Math.max(job.status?.succeeded ?? 0, countOf(pods, "Succeeded"));
  const failed = Math.max(job.status?.failed ?? 0, countOf(pods, "Failed"));
  if (isOver(job)) return { create: [], remove: living, status: job.status ?? {} };
  const verdict = verdictOf(job, { succeeded, failed, now });
  const remove = verdict || job.spec.suspend ? living : [];
  const create = verdict || job.spec.suspend ? [] : missing(job, pods, { living, succeeded });
  const active = remove.length > 0 ? 0 : living.length + create.length;
  const ready = remove.length > 0 ? 0 : living.filter(isReady).length;
  const startTime = job.status?.startTime ?? (job.spec.suspend ? undefined : now);
  const conditions = [...conditionsOf(job, now), ...(verdict ? verdictConditions(verdict, now) : [])];
  const status: JobStatus = {
    ...(active && { active }),
    ready,
    ...(succeeded && { succeeded }),
    ...(failed && { failed }),
    ...(job.spec.completionMode === "Indexed" && { completedIndexes: ranges(doneIndexes(pods)) }),
    ...(startTime && { startTime }),
    ...(verdict?.type === "Complete" && { completionTime: now }),
    terminating: 0,
    uncountedTerminatedPods: {},
    ...(conditions.length > 0 && { conditions }),
  };
  return { create, remove, status };
}

/** True when a job has completed or failed. */
export function isOver({ status }: Job): boolean {
  return finishedCondition(status) !== undefined;
}

/** Milliseconds until the job may be deleted for its age; undefined when it stays. */
export function timeToLive({ spec, status }: Job, now: number): number | undefined {
  const end = finishedCondition(status)?.lastTransitionTime;
  if (spec.ttlSecondsAfterFinished === undefined || !end) return undefined;
  return Math.max(0, Date.parse(end) + spec.ttlSecondsAfterFinished * 1000 - now);
}

function finishedCondition(status: JobStatus | undefined): WorkloadCondition | undefined {
  return status?.conditions?.find(
    ({ type, status }) => status === "True" && (type === "Complete" || type === "Failed"),
  );
}

function countOf(pods: readonly Pod[], phase: "Succeeded" | "Failed"): number {
  return pods.filter(({ status }) => status?.phase === phase).length;
}

interface Verdict {
  readonly type: "Complete" | "Failed";
  readonly reason: string;
  readonly message: string;
}

function verdictOf(
  { spec, status }: Job,
  { succeeded, failed, now }: { succeeded: number; failed: number; now: string },
): Verdict | undefined {
  if (failed > (spec.backoffLimit ?? 6)) {
    return { type: "Failed", reason: "BackoffLimitExceeded", message: "Job has reached the specified backoff limit" };
  }
  const age = status?.startTime ? (Date.parse(now) - Date.parse(status.startTime)) / 1000 : 0;
  if (spec.activeDeadlineSeconds !== undefined && age >= spec.activeDeadlineSeconds) {
    return { type: "Failed", reason: "DeadlineExceeded", message: "Job was active longer than specified deadline" };
  }
  // Without completions, the first success decides for all.
  if (succeeded < (spec.completions ?? 1)) return undefined;
  return { type: "Complete", reason: "CompletionsReached", message: "Reached expected number of succeeded pods" };
}

function missing(
  { spec }: Job,
  pods: readonly Pod[],
  { living, succeeded }: { living: readonly Pod[]; succeeded: number },
): (number | undefined)[] {
  const parallelism = spec.parallelism ?? 1;
  const left = spec.completions === undefined ? (succeeded > 0 ? 0 : parallelism) : spec.completions - succeeded;
  const count = Math.max(0, Math.min(parallelism, left) - living.length);
  if (spec.completionMode !== "Indexed") return Array.from({ length: count }, () => undefined);
  const taken = new Set([...doneIndexes(pods), ...living.map(indexOf)]);
  const free = Array.from({ length: spec.completions ?? 1 }, (_, index) => index).filter((index) => !taken.has(index));
  return free.slice(0, count);
}

function doneIndexes(pods: readonly Pod[]): number[] {
  const done = pods.filter(({ status }) => status?.phase === "Succeeded").map(indexOf);
  return [...new Set(done)].sort((a, b) => a - b);
}

function indexOf({ metadata }: Pod): number {
  return Number(metadata.annotations?.[completionIndex]);
}

/** `0-2,5` */
function ranges(indexes: readonly number[]): string {
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

/** A job says that it will end, then that it has. */
function verdictConditions({ type, ...why }: Verdict, now: string): WorkloadCondition[] {
  const first = type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
  return [condition(first, why, now), condition(type, why, now)];
}

function condition(type: string, why: { reason: string; message: string }, now: string): WorkloadCondition {
  return { type, status: "True", ...why, lastProbeTime: now, lastTransitionTime: now };
}

import type { Pod, Job } from "../context/simulated-kinds.ts";
import { isFinished } from "../pods/pod-state.ts";
import { decisionOf, type Verdict } from "./job-conditions.ts";
import type { JobIndexes } from "./job-indexes.ts";
import { isFailed } from "./job-pods.ts";
import { jobFailureOf, successOf } from "./job-policies.ts";

interface Evidence {
  readonly pods: readonly Pod[];
  readonly failures: number;
  readonly indexes: JobIndexes | undefined;
  readonly now: string;
}

/** Returns why a job ends although pods of it may run. */
export function earlyVerdict(job: Job, { pods, failures, indexes, now }: Evidence): Verdict | undefined {
  const decision = decisionOf(job);
  if (decision) return decision;
  const failure = pods.filter((pod) => isFailed(job, pod)).flatMap((pod) => jobFailureOf(job, pod) ?? [])[0];
  if (failure !== undefined) return failed("PodFailurePolicy", failure);
  if (failures > backoffLimit(job) || hasRestartedTooOften(job, pods))
    return failed("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  if (isLate(job, now)) return failed("DeadlineExceeded", "Job was active longer than specified deadline");
  if (!indexes) return undefined;
  const success = successOf(job, indexes.completed);
  const met: Verdict | undefined =
    success === undefined ? undefined : { type: "Complete", reason: "SuccessPolicy", message: success };
  return indexVerdict(job, indexes) ?? met;
}

/** Returns the verdict of a job whose pods have succeeded. Without completions, one success is enough. */
export function completion({ spec }: Job, succeeded: number, active: number): Verdict | undefined {
  if (active > 0 || succeeded < (spec.completions ?? 1)) return undefined;
  return { type: "Complete", reason: "CompletionsReached", message: "Reached expected number of succeeded pods" };
}

function indexVerdict({ spec }: Job, { completed, failed: lost = [] }: JobIndexes): Verdict | undefined {
  if (lost.length > (spec.maxFailedIndexes ?? Infinity))
    return failed("MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes");
  const isDone = lost.length > 0 && lost.length + completed.length >= (spec.completions ?? 1);
  return isDone ? failed("FailedIndexes", "Job has failed indexes") : undefined;
}

function failed(reason: string, message: string): Verdict {
  return { type: "Failed", reason, message };
}

function backoffLimit({ spec }: Job): number {
  return spec.backoffLimit ?? 6;
}

/** Reports whether the containers of pods that start them again have failed too often. */
function hasRestartedTooOften(job: Job, pods: readonly Pod[]): boolean {
  if (job.spec.template.spec.restartPolicy !== "OnFailure") return false;
  const statuses = pods
    .filter((pod) => !isFinished(pod))
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]);
  const restarts = statuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
  return restarts > 0 && restarts >= backoffLimit(job);
}

function isLate({ spec, status }: Job, now: string): boolean {
  if (spec.activeDeadlineSeconds === undefined || !status?.startTime || spec.suspend) return false;
  return Date.parse(now) - Date.parse(status.startTime) >= spec.activeDeadlineSeconds * 1000;
}

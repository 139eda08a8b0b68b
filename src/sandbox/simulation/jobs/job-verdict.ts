import type { Pod, Job, JobStatus } from "../context/simulated-kinds.ts";
import { isFinished, isLeaving } from "../pods/pod-state.ts";
import type { PodFailurePolicyRule, JobCondition } from "../../../k8s/batch/v1.ts";

interface Evidence {
  readonly pods: readonly Pod[];
  readonly failures: number;
  readonly now: string;
}

/** Returns why a job ends although pods of it may run. */
export function earlyVerdict(job: Job, { pods, failures, now }: Evidence): Verdict | undefined {
  const decision = decisionOf(job);
  if (decision) return decision;
  const failure = pods.filter((pod) => isFailed(job, pod)).flatMap((pod) => jobFailureOf(job, pod) ?? [])[0];
  if (failure !== undefined) return failed("PodFailurePolicy", failure);
  if (failures > backoffLimit(job) || hasRestartedTooOften(job, pods))
    return failed("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  if (isLate(job, now)) return failed("DeadlineExceeded", "Job was active longer than specified deadline");
  return undefined;
}

/** Returns the verdict of a job whose pods have succeeded. Without completions, one success is enough. */
export function completion({ spec }: Job, succeeded: number, active: number): Verdict | undefined {
  if (active > 0 || succeeded < (spec.completions ?? 1)) return undefined;
  return { type: "Complete", reason: "CompletionsReached", message: "Reached expected number of succeeded pods" };
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

/** Reports whether the failure policy of a job ignores a failed pod, which then does not count as a failure. */
export function isIgnored(job: Job, pod: Pod): boolean {
  return ruleFor(job, pod)?.action === "Ignore";
}

/** Returns why a failed pod fails the whole job; undefined if it does not. */
function jobFailureOf(job: Job, pod: Pod): string | undefined {
  if (ruleFor(job, pod)?.action !== "FailJob") return undefined;
  return `A FailJob rule matches pod ${pod.metadata.namespace}/${pod.metadata.name}`;
}

/** Returns the first rule that matches a failed pod. */
function ruleFor({ spec }: Job, { status = {} }: Pod): PodFailurePolicyRule | undefined {
  return spec.podFailurePolicy?.rules.find(({ onExitCodes, onPodConditions = [] }) => {
    if (!onExitCodes)
      return status.conditions?.some((condition) =>
        onPodConditions.some(
          ({ type, status: wanted = "True" }) => type === condition.type && wanted === condition.status,
        ),
      );
    const { containerName, operator, values } = onExitCodes;
    const all = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
    return all.some(({ name, state: { terminated: { exitCode } = { exitCode: 0 } } }) => {
      const isMeant = exitCode !== 0 && (containerName ?? name) === name;
      return isMeant && values.includes(exitCode) === (operator === "In");
    });
  });
}

/** How a job ends, and why. */
interface Verdict {
  readonly type: "Complete" | "Failed";
  readonly reason: string;
  readonly message: string;
}

/** Reports whether a job has completed or failed. */
export function isOver({ status }: Job): boolean {
  return finishedCondition(status) !== undefined;
}

/** Returns the condition of a job that has completed or failed. */
export function finishedCondition(status: JobStatus | undefined): JobCondition | undefined {
  return status?.conditions?.find(
    ({ type, status }) => status === "True" && (type === "Complete" || type === "Failed"),
  );
}

/** Returns the verdict in a job's status. It is final, even if deleted pods change the counts. */
export function decisionOf({ status }: Job): Verdict | undefined {
  for (const { type: target, reason = "", message = "" } of status?.conditions ?? []) {
    if (target === "SuccessCriteriaMet") return { type: "Complete", reason, message };
    if (target === "FailureTarget") return { type: "Failed", reason, message };
  }
  return undefined;
}

/** Returns the conditions with the one that says whether the job is suspended, which only a job has that once was. */
export function suspendConditions({ spec, status }: Job, now: string): JobCondition[] {
  const known = status?.conditions ?? [];
  const suspended = known.find(({ type }) => type === "Suspended");
  if ((suspended?.status === "True") === (spec.suspend ?? false)) return known;
  const next: JobCondition = spec.suspend
    ? condition("Suspended", { reason: "JobSuspended", message: "Job suspended" }, now)
    : { ...condition("Suspended", { reason: "JobResumed", message: "Job resumed" }, now), status: "False" };
  return [...known.filter((other) => other !== suspended), next];
}

/** Returns the conditions with those of a verdict: one as soon as it is known, another when all pods are counted. */
export function verdictConditions(
  { status }: Job,
  { type, ...why }: Verdict,
  { isEnded, now }: { isEnded: boolean; now: string },
): JobCondition[] {
  const known = status?.conditions ?? [];
  const first = type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
  const isTold = known.some((condition) => condition.type === first);
  return [...known, ...(isTold ? [] : [condition(first, why, now)]), ...(isEnded ? [condition(type, why, now)] : [])];
}

function condition(type: string, why: { reason: string; message: string }, now: string): JobCondition {
  return { type, status: "True", ...why, lastProbeTime: now, lastTransitionTime: now };
}

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

function isIndexed({ spec }: Job): boolean {
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

/** Finds the completed indexes of an indexed job: in the status, whose pods may be deleted, and in pods that have ended. */
export function completedIndexes(job: Job, pods: readonly Pod[]): readonly number[] | undefined {
  if (!isIndexed(job)) return undefined;
  const recorded = parseRanges(job.status?.completedIndexes ?? "").filter((index) => index < countOf(job));
  const ended = pods.filter((pod) => isTracked(pod) && hasIndex(job, pod) && isSucceeded(pod)).map(indexOf);
  return [...new Set([...recorded, ...ended])].sort((a, b) => a - b);
}

/** Reports whether a pod has one of the job's indexes, whose number may have been reduced. */
export function hasIndex(job: Job, pod: Pod): boolean {
  return indexOf(pod) < countOf(job);
}

/** Returns the first indexes that are neither completed nor taken by a kept pod. */
export function freeIndexes(
  job: Job,
  completed: readonly number[],
  { kept, count }: { readonly kept: readonly Pod[]; readonly count: number },
): number[] {
  const taken = new Set([...completed, ...kept.map(indexOf)]);
  const free: number[] = [];
  for (let index = 0; index < countOf(job) && free.length < count; index++) if (!taken.has(index)) free.push(index);
  return free;
}

function countOf({ spec }: Job): number {
  return spec.completions ?? 1;
}

/** The most indexes that are parsed, of which a range of a few characters can have two billion. */
const mostIndexes = 100_000;

/** Parses indexes such as `0-2,5`, the first 100,000 of them. */
function parseRanges(text: string): number[] {
  const indexes: number[] = [];
  for (const range of text.split(",")) {
    const [from = "", to = from] = range.split("-");
    if (from === "") continue;
    for (let index = Number(from); index <= Number(to) && indexes.length < mostIndexes; index++) indexes.push(index);
  }
  return indexes;
}

/** Formats indexes as `0-2,5`. */
export function formatRanges(indexes: readonly number[]): string {
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

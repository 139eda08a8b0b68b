import type { Pod, Job } from "../context/simulated-kinds.ts";
import { isFinished, isLeaving } from "../pods/pod-state.ts";
import { parseRanges } from "./index-ranges.ts";
import { decisionOf } from "./job-conditions.ts";
import { endOf, indexOf, isFailed, isIndexed, isSucceeded, isTracked } from "./job-pods.ts";
import { failsIndex, isIgnored } from "./job-policies.ts";

/** The indexes of an indexed job. */
export interface JobIndexes {
  readonly completed: readonly number[];
  /** Undefined if the failures of each index have no limit. */
  readonly failed?: readonly number[];
  /** The last failed pods of indexes, by index. Each stays until its successor exists, which continues its counts. */
  readonly replaced: ReadonlyMap<number, Pod>;
}

/** Finds the indexes that are done: in the status, whose pods may be deleted, and in pods that have ended. */
export function findIndexes(job: Job, pods: readonly Pod[]): JobIndexes | undefined {
  if (!isIndexed(job)) return undefined;
  const { spec, status } = job;
  const held = pods.filter((pod) => isTracked(pod) && hasIndex(job, pod));
  const add = (recorded: string, ended: readonly Pod[]): number[] =>
    [...new Set([...parseRanges(recorded).filter((index) => index < countOf(job)), ...ended.map(indexOf)])].sort(
      (a, b) => a - b,
    );
  const completed = add(status?.completedIndexes ?? "", held.filter(isSucceeded));
  if (spec.backoffLimitPerIndex === undefined) return { completed, replaced: new Map() };
  // The pods that a decided job deletes fail no index.
  const isDecided = decisionOf(job) !== undefined;
  const failures = held.filter((pod) => isFailed(job, pod) && !(isDecided && isLeaving(pod)));
  const failed = add(
    status?.failedIndexes ?? "",
    failures.filter((pod) => isLastFailure(job, pod)),
  );
  const active = pods.filter((pod) => !isFinished(pod) && !isLeaving(pod)).map(indexOf);
  const done = new Set([...completed, ...failed, ...active]);
  const open = failures.filter((pod) => !done.has(indexOf(pod))).toSorted(byFailures);
  return { completed, failed, replaced: new Map(open.map((pod) => [indexOf(pod), pod])) };
}

/** Reports whether a pod has one of the job's indexes, whose number may have been reduced. */
export function hasIndex(job: Job, pod: Pod): boolean {
  return indexOf(pod) < countOf(job);
}

/** Returns the first indexes that are neither done nor taken by a kept pod. */
export function freeIndexes(
  job: Job,
  { completed, failed = [] }: JobIndexes,
  { kept, count }: { readonly kept: readonly Pod[]; readonly count: number },
): number[] {
  const taken = new Set([...completed, ...failed, ...kept.map(indexOf)]);
  const free: number[] = [];
  for (let index = 0; index < countOf(job) && free.length < count; index++) if (!taken.has(index)) free.push(index);
  return free;
}

/** Returns the annotations of a new pod that count the failures of its index. */
export function failureAnnotations(job: Job, indexes: JobIndexes, index: number): Record<string, string> {
  if (indexes.failed === undefined) return {};
  const before = indexes.replaced.get(index);
  if (!before) return { [failureCount]: "0" };
  const isCounted = !isIgnored(job, before);
  const ignored = countIn(before, ignoredCount) + (isCounted ? 0 : 1);
  return {
    [failureCount]: String(countIn(before, failureCount) + (isCounted ? 1 : 0)),
    ...(ignored > 0 && { [ignoredCount]: String(ignored) }),
  };
}

/** Returns how often an index has failed when its last pod has. */
export function failuresOf(pod: Pod): number {
  return countIn(pod, failureCount) + countIn(pod, ignoredCount) + 1;
}

const failureCount = "batch.kubernetes.io/job-index-failure-count";
const ignoredCount = "batch.kubernetes.io/job-index-ignored-failure-count";

function countIn({ metadata }: Pod, annotation: string): number {
  return Number(metadata.annotations?.[annotation] ?? 0);
}

function isLastFailure(job: Job, pod: Pod): boolean {
  if (failsIndex(job, pod)) return true;
  return !isIgnored(job, pod) && countIn(pod, failureCount) >= (job.spec.backoffLimitPerIndex ?? Infinity);
}

function byFailures(a: Pod, b: Pod): number {
  return failuresOf(a) - failuresOf(b) || endOf(a) - endOf(b);
}

function countOf({ spec }: Job): number {
  return spec.completions ?? 1;
}

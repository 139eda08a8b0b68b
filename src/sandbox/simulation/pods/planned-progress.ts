import {
  backOffAfter,
  endsAfter,
  isSidecar,
  restartDelayMs,
  runsToCompletion,
  startsAgain,
} from "../context/restart-policy.ts";
import type { Container, ContainerStatus, Pod } from "../context/simulated-kinds.ts";
import { waitingContainer, type Commands, type ContainerProgress, type ContainerEnd } from "./command-stages.ts";
import { parseDuration } from "../../../apimachinery/duration.ts";

/** With the name of a container behind a dot, an annotation is about that container alone. */
const exitCodeAnnotation = "tsop.dev/exit-code";
const messageAnnotation = "tsop.dev/termination-message";
/** Annotation with the time for which the containers run. */
const runForAnnotation = "tsop.dev/run-for";

/**
 * Returns how a container of a pod that runs to completion ends, as the annotations of the pod say. Annotations without
 * the name of a container do not apply to init containers.
 */
export function plannedEnd(pod: Pod, container: string): ContainerEnd {
  if (!runsToCompletion(pod)) return { exitCode: 0 };
  const { metadata, spec } = pod;
  const isMain = spec.containers.some(({ name }) => name === container);
  const find = (annotation: string): string | undefined =>
    metadata.annotations?.[`${annotation}.${container}`] ?? (isMain ? metadata.annotations?.[annotation] : undefined);
  const code = find(exitCodeAnnotation) ?? "0";
  const message = find(messageAnnotation);
  if (!/^\d{1,3}$/.test(code) || Number(code) > 255) return misstated(exitCodeAnnotation, code, "an exit code");
  if (isMain && runForMs(pod) === undefined)
    return misstated(runForAnnotation, metadata.annotations?.[runForAnnotation] ?? "", "a duration, such as 30s");
  return { exitCode: Number(code), ...(message !== undefined && { message }) };
}

/** An init container that fails. */
export interface FailingInit {
  readonly index: number;
  readonly end: ContainerEnd;
}

/** Returns the first init container of a pod that fails. */
export function failingInit(pod: Pod): FailingInit | undefined {
  const { initContainers = [] } = pod.spec;
  const ends = initContainers.map((each) => (isSidecar(each) ? undefined : plannedEnd(pod, each.name)));
  const index = ends.findIndex((end) => end !== undefined && end.exitCode !== 0);
  const end = ends[index];
  return end && { index, end };
}

/** Returns the milliseconds until a pod exceeds its deadline on the node; Infinity without a deadline. */
export function deadlineIn({ spec, status }: Pod, now: string): number {
  const { activeDeadlineSeconds: seconds } = spec;
  if (seconds === undefined || status?.startTime === undefined) return Infinity;
  return Date.parse(status.startTime) + seconds * 1000 - Date.parse(now);
}

/** Returns the milliseconds for which containers run; `undefined` if their annotation is not a duration. */
function runForMs({ metadata }: Pod): number | undefined {
  const nanos = parseDuration(metadata.annotations?.[runForAnnotation] ?? "0");
  return nanos === undefined ? undefined : Number(nanos) / 1e6;
}

/** A program that cannot be started ends with 128. */
function misstated(annotation: string, value: string, expected: string): ContainerEnd {
  return {
    exitCode: 128,
    reason: "StartError",
    message: `the annotation ${annotation} is "${value}", not ${expected}`,
  };
}

interface PlannedProgress extends ContainerProgress {
  /** When the container ends or starts again, if it does. */
  readonly changesAt?: number;
}

/**
 * Returns the states of the containers of a pod that runs to completion, as its annotations plan them; of its init
 * containers only those that fail and start again.
 */
export function plannedProgress(pod: Pod, now: string): ReadonlyMap<string, PlannedProgress> {
  if (!runsToCompletion(pod)) return new Map();
  const { initContainerStatuses = [], containerStatuses = [], phase } = pod.status ?? {};
  const progress = new Map<string, PlannedProgress>();
  for (const container of phase === "Running" ? [] : (pod.spec.initContainers ?? [])) {
    const known = initContainerStatuses.find(({ name }) => name === container.name);
    const status = known ?? waitingContainer(container, "PodInitializing");
    if (startsOver(pod, container, status)) progress.set(container.name, progressOf(pod, status, Date.parse(now), 0));
  }
  for (const status of containerStatuses)
    progress.set(status.name, progressOf(pod, status, Date.parse(now), runForMs(pod)));
  return progress;
}

/** Reports whether an init container fails, or has failed and is not over. */
function startsOver(pod: Pod, container: Container, { restartCount, state }: ContainerStatus): boolean {
  if (pod.spec.restartPolicy !== "OnFailure" || isSidecar(container)) return false;
  const isUnderWay = restartCount > 0 || "running" in state || "terminated" in state;
  return isUnderWay || plannedEnd(pod, container.name).exitCode !== 0;
}

/** Returns the milliseconds until a pod on the node changes because of the time, if it does. */
export function changesIn(pod: Pod, now: string, commands?: Commands): number | undefined {
  const planned = [...plannedProgress(pod, now)].filter(([name]) => !commands?.has(name));
  const times = planned.map(([, { changesAt = Infinity }]) => changesAt - Date.parse(now));
  const ms = Math.min(...[deadlineIn(pod, now), ...times].filter((time) => time > 0));
  return Number.isFinite(ms) ? ms : undefined;
}

function progressOf(
  pod: Pod,
  { name, state, lastState, restartCount }: ContainerStatus,
  now: number,
  runsForMs = 0,
): PlannedProgress {
  if (state.running) {
    const endsAt = Date.parse(state.running.startedAt ?? "") + runsForMs;
    if (now < endsAt) return { exitCode: undefined, restarts: restartCount, backOff: undefined, changesAt: endsAt };
    const end = plannedEnd(pod, name);
    return { exitCode: end.exitCode, restarts: restartCount, backOff: undefined, end };
  }
  const ended = state.terminated ?? lastState.terminated;
  if (!ended) return { exitCode: undefined, restarts: restartCount, backOff: undefined };
  const { exitCode, startedAt = "" } = ended;
  if (!startsAgain(pod, name, exitCode)) return { exitCode, restarts: restartCount, backOff: undefined };
  const finishedAt = Date.parse(ended.finishedAt ?? "");
  const backOff = backOffAfter(endsAfter(restartCount, finishedAt - Date.parse(startedAt)));
  const changesAt = finishedAt + restartDelayMs(backOff);
  return now < changesAt
    ? { exitCode, restarts: restartCount, backOff, changesAt }
    : { exitCode: undefined, restarts: restartCount + 1, backOff: undefined };
}

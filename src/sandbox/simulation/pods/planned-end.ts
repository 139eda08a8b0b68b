import { parseDuration } from "../../../apimachinery/duration.ts";
import { isSidecar, runsToCompletion } from "../context/restart-policy.ts";
import type { Pod } from "../context/simulated-kinds.ts";

/** How a container ends. */
export interface ContainerEnd {
  readonly exitCode: number;
  readonly reason?: string;
  /** Its termination message. */
  readonly message?: string;
}

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
export function runForMs({ metadata }: Pod): number | undefined {
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

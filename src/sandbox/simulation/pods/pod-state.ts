import type { Container, Pod, WorkloadCondition } from "../context/simulated-kinds.ts";
import type { Commands } from "./command-stages.ts";

/** Where and when a pod takes its next step. */
export interface PodPlace {
  readonly now: string;
  readonly hostIp: string;
  readonly podIp: string;
  /** The commands of the pod that run as processes; it does not finish before them. */
  readonly commands?: Commands | undefined;
}

/** Returns the containers of a pod in the order of their starts, apart from ephemeral ones. */
export function containersOf({ spec }: Pod): Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers];
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === "True";
}

/** Returns the milliseconds until a pod has been ready for this many seconds; 0 if it is available. */
export function availableIn(pod: Pod, minReadySeconds = 0, now = 0): number {
  if (!isReady(pod)) return Infinity;
  if (minReadySeconds === 0) return 0;
  return Math.max(0, Date.parse(readyCondition(pod)?.lastTransitionTime ?? "") + minReadySeconds * 1000 - now);
}

/** Reports whether a pod has succeeded or failed. */
export function isFinished({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** Reports whether a pod is being deleted. */
export function isLeaving({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function readyCondition({ status }: Pod): WorkloadCondition | undefined {
  return status?.conditions?.find(({ type }) => type === "Ready");
}

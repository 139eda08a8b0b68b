import type { Pod, WorkloadCondition } from "../context/simulated-kinds.ts";

export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === "True";
}

/** It has run to its end, well or not. */
export function isFinished({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** It is being deleted. */
export function isLeaving({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function readyCondition({ status }: Pod): WorkloadCondition | undefined {
  return status?.conditions?.find(({ type }) => type === "Ready");
}

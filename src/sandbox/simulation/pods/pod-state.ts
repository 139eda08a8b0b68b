import type { Pod, WorkloadCondition } from "../context/simulated-kinds.ts";

export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === "True";
}

/** Reports whether a pod has succeeded or failed. */
export function isFinished({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** Reports whether a pod is being deleted. */
export function isLeaving({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function readyCondition({ status }: Pod): WorkloadCondition | undefined {
  return status?.conditions?.find(({ type }) => type === "Ready");
}

import type { Pod, PodStatus, WorkloadCondition } from "../context/simulated-kinds.ts";
import { withCondition } from "../context/workload-conditions.ts";

export type ConditionChange = Pick<WorkloadCondition, "status" | "reason" | "message">;

/** Updates the conditions of a pod, whose probe time is always null. */
export function updateConditions(
  status: PodStatus | undefined,
  now: string,
  changes: Readonly<Record<string, ConditionChange>>,
): WorkloadCondition[] {
  return Object.entries(changes).reduce(
    (all, [type, change]) => withCondition(all, { type, lastProbeTime: null, ...change }, now),
    status?.conditions ?? [],
  );
}

/** Conditions that the scheduler and the kubelet write. */
const ownTypes = ["PodScheduled", "PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady"];

/** Notes in conditions which generation of the pod they are about. */
export function observeConditions({ metadata: { generation } }: Pod, status: PodStatus): PodStatus {
  if (generation === undefined || !status.conditions) return status;
  const conditions = status.conditions.map((condition) =>
    ownTypes.includes(condition.type) ? { ...condition, observedGeneration: generation } : condition,
  );
  return { ...status, conditions };
}

/** Notes in a status which generation of the pod the kubelet has seen. */
export function observeStatus(pod: Pod, status: PodStatus): PodStatus {
  const { generation } = pod.metadata;
  return { ...observeConditions(pod, status), ...(generation !== undefined && { observedGeneration: generation }) };
}

/** The state of Ready while containers do not run. */
export function unreadyBecauseOf(names: readonly string[]): ConditionChange {
  const message = `containers with unready status: [${names.join(" ")}]`;
  return { status: "False", reason: "ContainersNotReady", message };
}

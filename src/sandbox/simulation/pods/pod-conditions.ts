import type { PodStatus, WorkloadCondition } from "../context/simulated-kinds.ts";
import { setWorkloadCondition, withoutUpdateTime } from "../context/workload-conditions.ts";

export type ConditionChange = Pick<WorkloadCondition, "status" | "reason" | "message">;

/** Updates the conditions of a pod, which have no update time, and a probe time that is always null. */
export function updateConditions(
  status: PodStatus | undefined,
  now: string,
  changes: Readonly<Record<string, ConditionChange>>,
): WorkloadCondition[] {
  let result = status?.conditions ?? [];
  for (const [type, change] of Object.entries(changes)) {
    result = setWorkloadCondition(result, { type, lastProbeTime: null, ...change }, now);
  }
  return result.map(withoutUpdateTime);
}

/** The state of Ready while containers do not run. */
export function unreadyBecauseOf(names: readonly string[]): ConditionChange {
  const message = `containers with unready status: [${names.join(" ")}]`;
  return { status: "False", reason: "ContainersNotReady", message };
}

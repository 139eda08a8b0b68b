import type { WorkloadCondition } from "./simulated-kinds.ts";

/** Sets a condition in place. The transition time changes with the status only, the update time with any field. */
export function setWorkloadCondition(
  conditions: readonly WorkloadCondition[],
  next: WorkloadCondition,
  now: string,
): WorkloadCondition[] {
  const before = conditions.find(({ type }) => type === next.type);
  const same = before?.status === next.status && before.reason === next.reason && before.message === next.message;
  if (same) return [...conditions];
  const lastTransitionTime = before?.status === next.status ? (before.lastTransitionTime ?? now) : now;
  const set = { ...next, lastUpdateTime: now, lastTransitionTime };
  return before ? conditions.map((condition) => (condition === before ? set : condition)) : [...conditions, set];
}

/** Moves a condition behind all others; one with the same status and reason is not changed. */
export function moveCondition(
  conditions: readonly WorkloadCondition[],
  next: WorkloadCondition,
  now: string,
): WorkloadCondition[] {
  const before = conditions.find(({ type }) => type === next.type);
  if (before?.status === next.status && before.reason === next.reason) return [...conditions];
  const lastTransitionTime = before?.status === next.status ? (before.lastTransitionTime ?? now) : now;
  const others = conditions.filter((condition) => condition !== before);
  return [...others, { ...next, lastUpdateTime: now, lastTransitionTime }];
}

/** Removes the update time, which conditions of other kinds do not have. */
export function withoutUpdateTime(condition: WorkloadCondition): WorkloadCondition {
  const { lastUpdateTime: _, ...rest } = condition;
  return rest;
}

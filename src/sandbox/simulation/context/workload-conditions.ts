import type { WorkloadCondition } from "./simulated-kinds.ts";

/** Sets a condition in its place: the transition time moves with the status only, the update time with anything. */
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

/** Sets a condition behind all others; one with the same status and reason stays as it is, and where it is. */
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

/** For kinds whose conditions have no update time. */
export function withoutUpdateTime(condition: WorkloadCondition): WorkloadCondition {
  const { lastUpdateTime: _, ...rest } = condition;
  return rest;
}

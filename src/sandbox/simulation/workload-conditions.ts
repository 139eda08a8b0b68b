import type { WorkloadCondition } from "./simulated-kinds.ts";

/**
 * Sets a condition: the transition time moves with the status only, the update time with anything, and with `touch`
 * even when nothing else changes.
 */
export function setWorkloadCondition(
  conditions: readonly WorkloadCondition[],
  next: WorkloadCondition,
  now: string,
  options: { readonly touch?: boolean } = {},
): WorkloadCondition[] {
  const before = conditions.find(({ type }) => type === next.type);
  const same = before?.status === next.status && before.reason === next.reason && before.message === next.message;
  if (same && !options.touch) return [...conditions];
  const lastTransitionTime = before?.status === next.status ? (before.lastTransitionTime ?? now) : now;
  const set = { ...next, lastUpdateTime: now, lastTransitionTime };
  return before ? conditions.map((condition) => (condition === before ? set : condition)) : [...conditions, set];
}

/** For kinds whose conditions have no update time. */
export function withoutUpdateTime(condition: WorkloadCondition): WorkloadCondition {
  const { lastUpdateTime: _, ...rest } = condition;
  return rest;
}

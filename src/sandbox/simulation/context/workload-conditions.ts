import { findCondition, setCondition, type SettableCondition } from "../../../apimachinery/conditions.ts";
import type { WorkloadCondition } from "./simulated-kinds.ts";

/** Returns conditions with one that is set. */
export function withCondition<C extends SettableCondition>(conditions: readonly C[] = [], next: C, now: string): C[] {
  const all = conditions.map((each) => ({ ...each }));
  setCondition(all, { ...next, lastTransitionTime: now });
  return all;
}

/** Returns conditions with one behind all others, and the time of its update; one with the same status and reason stays. */
export function moveCondition(
  conditions: readonly WorkloadCondition[],
  next: WorkloadCondition,
  now: string,
): WorkloadCondition[] {
  const before = findCondition(conditions, next.type);
  if (before?.status === next.status && before.reason === next.reason) return [...conditions];
  const moved = [...conditions.filter((each) => each !== before), ...(before ? [before] : [])];
  return withCondition(moved, { ...next, lastUpdateTime: now }, now);
}

import type { Plan } from "./plans/plan.ts";
import type { Patience } from "./world/rest.ts";

/** An operator that meets an error, or waits for a workload, may take some tries to end its work. */
export const referencePatience: Patience = { quietMs: 2_000, limitMs: 30_000, retryMs: 2_500, retriesMs: 4_000 };
/** A run that looks wrong is repeated with full patience before it counts. */
export const fullPatience: Patience = { quietMs: 150, limitMs: 8_000 };
/** Nothing shows that the operator has finished, so it gets more time to begin. */
export const adoptionPatience: Patience = { quietMs: 1_000, limitMs: 8_000 };
/** Time costs nothing in a simulation, and each step must keep its state for longer than this anyway. */
export const schedulePatience: Patience = { quietMs: 150, limitMs: 60_000 };
export const planPatience: Patience = { ...fullPatience, idleMs: 2_500 };

/** A step may take this many times as long as the slowest one that came to rest. */
const slack = 3;

/**
 * Returns the patience for a run after others whose slowest step took `slowestMs` to come to rest: on a busy machine,
 * everything takes longer.
 */
export function patienceAfter(slowestMs: number, usual: Patience): Patience {
  const limitMs = Math.max(usual.limitMs, slack * slowestMs);
  return { ...usual, limitMs, idleMs: usual.idleMs && Math.max(usual.idleMs, slowestMs) };
}

/** Returns the patience for a plan; those that are drawn have one of their own. */
export function patienceFor({ schedule }: Plan, usual: Patience): Patience {
  return schedule ? schedulePatience : usual;
}

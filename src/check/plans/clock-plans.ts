import type { Scenario } from "../scenario/scenario.ts";
import { staysMs } from "./draw-plan.ts";
import { usualTimes, type Plan } from "./plan.ts";

/** The moments at which clocks in Europe are put forward, and back. */
const changes = [
  { what: "forward", at: "2026-03-29T01:00:00Z" },
  { what: "back", at: "2026-10-25T01:00:00Z" },
];
/** A run begins this long before the change, so that its first step reaches its state before. */
const aheadMs = 20_000;
const weekMs = 7 * 24 * 3_600_000;

/** A run without faults in which clocks are changed, and the same run a week before. */
export interface ClockPlans {
  readonly plan: Plan;
  readonly ordinary: Plan;
}

/** Makes the plans in which clocks are changed during the first step. */
export function clockPlans({ steps }: Scenario, seed: number): ClockPlans[] {
  return changes.map(({ what, at }) => {
    const begins = Date.parse(at) - aheadMs;
    const plan: Plan = {
      id: `schedule:clocks-${what}`,
      faultClass: "schedule",
      description: `clocks in Europe are put ${what} at ${at}, ${aheadMs / 1000} s after the start`,
      steps: steps.map((step) => ({ ...step, reaches: step.name })),
      schedule: { seed, ...usualTimes },
      staysMs,
      begins,
    };
    return { plan, ordinary: { ...plan, id: `${plan.id}:week-before`, begins: begins - weekMs } };
  });
}

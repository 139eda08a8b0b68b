import { differencesFrom, type Expectation } from "../plans/expectation.ts";
import type { Plan } from "../plans/plan.ts";
import type { RunRecord } from "../world/run-record.ts";
import { aboutDifference } from "./describe-difference.ts";

/**
 * Returns why a run ended before its fault: without one, a step led to another state than in the reference run. Undefined
 * if the fault had no occasion.
 */
export function whyUnstruck(plan: Plan, { steps, requests }: RunRecord, expectation: Expectation): string | undefined {
  const last = steps.at(-1);
  const planned = plan.steps.find(({ name }) => name === last?.name);
  if (!last || !planned || last.quiet) return undefined;
  const [difference] = differencesFrom(expectation, plan, planned, { state: last.state, requests });
  const how = difference ? `ends with another state (${aboutDifference(difference)})` : "does not come to rest";
  return `before its fault, the step “${last.name}” ${how}`;
}

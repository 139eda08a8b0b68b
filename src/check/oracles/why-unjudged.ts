import { differencesFrom, type Expectation } from "../plans/expectation.ts";
import { hasFault, type Plan } from "../plans/plan.ts";
import type { RunRecord } from "../world/run-record.ts";
import { aboutDifference } from "./describe-difference.ts";
import { isOverloaded } from "./judge-run.ts";

/**
 * Returns why a run says nothing about the operator. A run that ends before its fault can act does so because a step does
 * not come to the state of the reference run; if all steps do, the fault had no occasion, and the result is undefined.
 */
export function whyUnjudged(plan: Plan, record: RunRecord, expectation: Expectation): string | undefined {
  if (isOverloaded(record)) return "the simulation is too slow for this many pods";
  const { steps, requests, struck } = record;
  const last = steps.at(-1);
  const planned = plan.steps.find(({ name }) => name === last?.name);
  if (!plan.faults || struck.some(Boolean) || !last || !planned || last.quiet) return undefined;
  const isDeletion = hasFault(plan, "deletion");
  // The step of an early deletion reaches the end of the last step, but only with the deletion.
  const usual = isDeletion ? { reaches: planned.name } : planned;
  const [difference] = differencesFrom(expectation, plan, usual, { state: last.state, requests });
  if (isDeletion && !difference) return undefined;
  const how = difference ? `ends with another state (${aboutDifference(difference)})` : "does not come to rest";
  return `before its fault, the step “${last.name}” ${how}`;
}

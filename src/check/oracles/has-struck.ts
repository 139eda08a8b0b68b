import type { Plan } from "../plans/plan.ts";
import type { RunRecord } from "../world/run-record.ts";

/** Reports whether a run is one without faults, or one in which a fault had an occasion. */
export function hasStruck(plan: Plan, record: RunRecord): boolean {
  return !plan.faults || (record.struck.some(Boolean) && !missesDeletion(plan, record));
}

/** Reports whether a run has not reached the deletion that its steps do without. */
export function missesDeletion({ faults = [] }: Plan, { struck }: RunRecord): boolean {
  return faults.some(({ type }, index) => type === "deletion" && !struck[index]);
}

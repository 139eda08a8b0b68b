import { diffStates } from "../world/object-state.ts";
import type { RunRecord } from "../world/run-record.ts";
import type { PlannedStep } from "./plan.ts";

/**
 * Returns the steps to the one of this name, and the last one: deletion shows what was left behind. Those between are
 * left out, unless they change what the deletion leaves: the state at the end could not be compared.
 */
export function stepsTo(name: string, steps: readonly PlannedStep[], reference: RunRecord): PlannedStep[] {
  const at = steps.findIndex((step) => step.name === name);
  const last = steps.at(-1);
  const taken = steps.slice(0, at + 1);
  if (!last || last.action.type !== "delete" || taken.includes(last)) return taken;
  return changesLeftovers(name, reference) ? [...steps] : [...taken, last];
}

/** Reports whether an object that is there at the end of the reference was changed between a step and the last one. */
export function changesLeftovers(name: string, { steps }: RunRecord): boolean {
  const [after, before, end] = [steps.find((step) => step.name === name), steps.at(-2), steps.at(-1)];
  if (!after || !before || !end || after === end) return false;
  return diffStates(after.state, before.state).some(({ id }) => end.state.has(id));
}

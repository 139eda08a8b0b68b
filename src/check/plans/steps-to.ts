import { endless } from "../world/log-watch.ts";
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

/**
 * Reports whether a deletion right after a step may leave a different state than the reference. That is so if an object
 * that exists at the end was changed between the step and the last one, or came with a change, which is not taken back
 * then, or if the operator cannot work in the state of the step, as without its credentials.
 */
export function changesLeftovers(name: string, { steps, errors }: RunRecord): boolean {
  const [after, before, end] = [steps.find((step) => step.name === name), steps.at(-2), steps.at(-1)];
  if (!after || !before || !end || after === end || after === before) return false;
  if (errors.some(({ step, count }) => step === name && count >= endless)) return true;
  if (diffStates(after.state, before.state).some(({ id }) => end.state.has(id))) return true;
  return [...end.state.keys()].some((id) => after.state.has(id) && !steps[0]!.state.has(id));
}

import { diffAfterReturn } from "../world/diff-after-return.ts";
import { diffStates, type Difference, type Mask, type ObjectState } from "../world/object-state.ts";
import type { Plan, PlannedStep } from "./plan.ts";

/** The states that steps must reach, and the parts of them that are not compared. */
export interface Expectation {
  readonly states: ReadonlyMap<string, ObjectState>;
  readonly mask: Mask;
}

/** Returns the differences of a state from the one that a step of a plan must reach. */
export function differencesFrom(
  { states, mask }: Expectation,
  { faultClass }: Plan,
  { reaches }: Pick<PlannedStep, "reaches">,
  state: ObjectState,
): Difference[] {
  const expected = reaches === undefined ? undefined : states.get(reaches);
  if (!expected) return [];
  if (faultClass === "exploration" || faultClass === "drift") return diffAfterReturn(expected, state, mask);
  const differences = diffStates(expected, state, mask);
  if (faultClass !== "deletion") return differences;
  // The claims of pods may stay, and before a deletion in the middle of the work there were fewer pods.
  return differences.filter(
    ({ id, path, actual }) => !(path === "" && actual === undefined && id.startsWith("/persistentvolumeclaims ")),
  );
}

import { isAmong, refOf } from "../scenario/scenario.ts";
import { withoutAutoscaling } from "../world/autoscaling.ts";
import { diffAfterReturn } from "../world/diff-after-return.ts";
import { diffStates, type Difference, type Mask, type ObjectState } from "../world/object-state.ts";
import type { RunRecord } from "../world/run-record.ts";
import { hasFault, type Plan, type PlannedStep } from "./plan.ts";

/** The states that steps must reach, and the parts of them that are not compared. */
export interface Expectation {
  readonly states: ReadonlyMap<string, ObjectState>;
  readonly mask: Mask;
  /** The mask after a user has taken a change back, if it is another one: also what that leaves in the reference run. */
  readonly maskOfReturn?: Mask;
}

/** A run without a fault, and what others are held against because of it. */
export interface Basis {
  readonly run: RunRecord;
  readonly expectation: Expectation;
}

/** Expects each step to end as in a run. */
export function expectationOf({ steps }: RunRecord, mask: Mask): Expectation {
  return { states: new Map(steps.map(({ name, state }) => [name, state])), mask };
}

/** What a run has led to. */
export interface Outcome {
  readonly state: ObjectState;
  readonly requests: RunRecord["requests"];
}

/** Returns the differences of a run's state from the one that a step of a plan must reach. */
export function differencesFrom(
  { states, mask, maskOfReturn = mask }: Expectation,
  plan: Plan,
  { reaches }: Pick<PlannedStep, "reaches">,
  { state, requests }: Outcome,
): Difference[] {
  const { faultClass } = plan;
  const expected = reaches === undefined ? undefined : states.get(reaches);
  if (!expected) return [];
  if (faultClass === "drift") {
    const isOfDrift = (step: string): boolean => !states.has(step);
    return withoutAutoscaling(diffAfterReturn(expected, state, mask), requests, isOfDrift);
  }
  if (faultClass === "exploration") {
    if (isDeletedByOperator(plan, requests)) return [];
    const isOfChange = (step: string): boolean => step !== plan.steps[0]?.name;
    return withoutAutoscaling(diffAfterReturn(expected, state, maskOfReturn), requests, isOfChange);
  }
  const differences = diffStates(expected, state, mask);
  if (faultClass === "upgrade") return differences.filter((difference) => !isOfUsers(difference, plan, expected));
  if (!hasFault(plan, "deletion")) return differences;
  // A deletion in the middle of the work comes before some of it: what was never written is not missing. The claims of
  // pods may stay, and there were fewer pods.
  const isDeleted = (id: string): boolean =>
    requests.some(({ changes }) => changes.some((change) => change.id === id && !change.after));
  return differences.filter(
    ({ id, path, actual }) =>
      path !== "" || actual !== undefined || (!id.startsWith("/persistentvolumeclaims ") && isDeleted(id)),
  );
}

/** Reports whether the operator has deleted the changed object, such as one whose time to live was set: nothing comes back. */
function isDeletedByOperator({ steps }: Plan, requests: RunRecord["requests"]): boolean {
  const targets = steps.flatMap(({ action }) => (action.type === "patch" ? [action.target] : []));
  return requests.some(
    ({ by, changes }) =>
      by === "operator" && changes.some(({ before, after }) => before && !after && isAmong(targets, refOf(before))),
  );
}

/**
 * Reports whether a difference is in a field of the user's. The server stores such fields in the version and with the
 * defaults of the older CRD until the next write.
 */
function isOfUsers({ id, path }: Difference, { steps: [first] }: Plan, expected: ObjectState): boolean {
  if (path !== "apiVersion" && !path.startsWith("spec.")) return false;
  const object = expected.get(id);
  return (
    first?.action.type === "apply" &&
    first.action.objects.some(
      ({ kind, metadata }) => object?.get("kind") === kind && object?.get("metadata.name") === metadata.name,
    )
  );
}

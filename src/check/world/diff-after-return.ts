import { diffStates, type Difference, type Mask, type NormalObject, type ObjectState } from "./object-state.ts";

/**
 * Returns the differences that are left after a change was taken back, by a user or by the operator. Jobs and pods that
 * have ended tell of work that was done, and their history has a limit; the claims of more replicas stay, as a
 * StatefulSet keeps them by default.
 */
export function diffAfterReturn(before: ObjectState, after: ObjectState, mask: Mask): Difference[] {
  return diffStates(withoutEnded(before), withoutEnded(after), mask).filter(
    ({ id, path, expected }) => !(path === "" && expected === undefined && id.startsWith("/persistentvolumeclaims ")),
  );
}

function withoutEnded(state: ObjectState): ObjectState {
  return new Map([...state].filter(([, object]) => !hasEnded(object)));
}

function hasEnded(object: NormalObject): boolean {
  const isTrue = (type: string): boolean => object.get(`status.conditions.${type}.status`) === "True";
  if (object.get("kind") === "Job") return isTrue("Complete") || isTrue("Failed");
  return object.get("kind") === "Pod" && /^(Succeeded|Failed)$/.test(object.get("status.phase") ?? "");
}

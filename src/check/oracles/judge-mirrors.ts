import type { Step } from "../scenario/scenario.ts";
import type { NormalObject, ObjectState } from "../world/object-state.ts";
import type { RunRecord } from "../world/run-record.ts";
import type { Violation } from "./violation.ts";

/**
 * Finds numbers of a custom resource that an object of the operator's repeats under the same name, such as
 * `spec.replicas`, and does not follow when they change.
 */
export function unfollowed(steps: readonly Step[], record: RunRecord): Violation[] {
  const base = record.steps[0]?.state;
  if (!base) return [];
  const found = steps.flatMap(({ name, action }) => {
    const after = record.steps.find((step) => step.name === name && step.quiet)?.state;
    const change = action.type === "patch" ? numberIn(action.patch) : undefined;
    if (!after || !change || action.type !== "patch") return [];
    const { kind, name: target } = action.target;
    const valueIn = (state: ObjectState): string | undefined =>
      [...state.values()].find((object) => isNamed(object, kind, target))?.get(change.path);
    const before = valueIn(base);
    // The operator, or a webhook, may have changed it.
    if (before === undefined || valueIn(after) !== change.value) return [];
    return mirrorsOf(base, change.path, before).flatMap(([id, path]): Violation[] => {
      const actual = after.get(id)?.get(path);
      if (actual === undefined || actual === change.value) return [];
      const resource = id.split(" ")[0] ?? id;
      const sentence = `After the step “${name}”, ${id} has ${path} = ${actual}, although ${change.path} of ${kind} ${target} is ${change.value}: both were ${before} before.`;
      return [{ oracle: "wrong-state", about: `${resource} ${path}`, sentence }];
    });
  });
  return found.filter(({ about }, index) => found.findIndex((other) => other.about === about) === index);
}

/** Returns the only field of a patch, if it is a number. */
function numberIn(patch: unknown, path: readonly string[] = []): { path: string; value: string } | undefined {
  if (typeof patch === "number") return { path: path.join("."), value: String(patch) };
  if (typeof patch !== "object" || patch === null) return undefined;
  const [[name, value] = [], second] = Object.entries(patch);
  return name === undefined || second ? undefined : numberIn(value, [...path, name]);
}

function isNamed(object: NormalObject, kind: string, name: string): boolean {
  return object.get("kind") === kind && object.get("metadata.name") === name;
}

/** Lists the places in other objects' desired states with the name and value of a field. */
function mirrorsOf(state: ObjectState, path: string, value: string): [id: string, path: string][] {
  const field = path.slice(path.lastIndexOf("."));
  return [...state].flatMap(([id, object]) =>
    [...object]
      .filter(([at, leaf]) => at.startsWith("spec.") && `.${at}`.endsWith(field) && leaf === value)
      .map(([at]): [string, string] => [id, at]),
  );
}

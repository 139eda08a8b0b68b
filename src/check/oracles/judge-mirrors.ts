import type { Step } from "../scenario/scenario.ts";
import { isAutoscaled } from "../world/autoscaling.ts";
import type { NormalObject, ObjectState } from "../world/object-state.ts";
import type { RecordedRequest, RunRecord } from "../world/run-record.ts";
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
    // An operator may have to ask the programs in its pods before it continues.
    if (record.unreached.has(name)) return [];
    const change = action.type === "patch" ? numberIn(action.patch) : undefined;
    if (!after || !change || action.type !== "patch") return [];
    const { kind, name: target } = action.target;
    const resourceIn = (state: ObjectState): NormalObject | undefined =>
      [...state.values()].find((object) => isNamed(object, kind, target));
    const resource = resourceIn(base);
    const before = resource?.get(change.path);
    // The operator, or a webhook, may have changed it.
    if (!resource || before === undefined || resourceIn(after)?.get(change.path) !== change.value) return [];
    // Numbers of other objects may repeat another field with the same name, or a field of another sample.
    const given = [...base.values()].filter((object) => object === resource || isOfUsers(steps, object));
    if (given.flatMap((object) => fieldsNamed(object, change.path, before)).length > 1) return [];
    const others = new Map(
      [...base].filter(
        ([id, object]) => object !== resource && !isOfUsers(steps, object) && !isAutoscaled(id, record.requests),
      ),
    );
    return mirrorsOf(others, change.path, before).flatMap(([id, path]): Violation[] => {
      const actual = after.get(id)?.get(path);
      if (actual === undefined || actual === change.value || isRefused(id, name, record)) return [];
      const sentence = `After the step “${name}”, ${id} has ${path} = ${actual}, although ${change.path} of ${kind} ${target} is ${change.value}: both were ${before} before.`;
      return [{ oracle: "wrong-state", about: `${id.split(" ")[0]} ${path}`, sentence }];
    });
  });
  return found.filter(({ about }, index) => found.findIndex((other) => other.about === about) === index);
}

/** Reports whether the server has refused a write of the operator to an object in a step, which another rule reports. */
function isRefused(id: string, step: string, { requests }: RunRecord): boolean {
  return requests.some(
    (request) => request.step === step && request.by === "operator" && request.status === 422 && isWriteTo(id, request),
  );
}

function isWriteTo(id: string, { signature }: RecordedRequest): boolean {
  const [resource = "", key = ""] = id.split(" ");
  return signature.endsWith(`/${resource.split("/")[1]}/${key.split("/").at(-1)}`);
}

/** Returns the only field of a patch, if it is a number. */
function numberIn(patch: unknown, path: readonly string[] = []): { path: string; value: string } | undefined {
  if (typeof patch === "number") return { path: path.join("."), value: String(patch) };
  if (typeof patch !== "object" || patch === null) return undefined;
  const [[name, value] = [], second] = Object.entries(patch);
  return name === undefined || second ? undefined : numberIn(value, [...path, name]);
}

/** Reports whether an object is one that a user applies in a step. */
export function isOfUsers(steps: readonly Step[], object: NormalObject): boolean {
  const applied = steps.flatMap(({ action }) => (action.type === "apply" ? action.objects : []));
  return applied.some(({ kind = "", metadata: { name = "" } }) => isNamed(object, kind, name));
}

export function isNamed(object: NormalObject, kind: string, name: string): boolean {
  return object.get("kind") === kind && object.get("metadata.name") === name;
}

/** Lists the places in other objects' desired states with the name and value of a field. */
function mirrorsOf(state: ObjectState, path: string, value: string): [id: string, path: string][] {
  return [...state].flatMap(([id, object]) => fieldsNamed(object, path, value).map((at): [string, string] => [id, at]));
}

/** Lists the places in a desired state with the name and value of a field. */
function fieldsNamed(object: NormalObject, path: string, value: string): string[] {
  const field = path.slice(path.lastIndexOf("."));
  return [...object.keys()].filter(
    (at) => at.startsWith("spec.") && `.${at}`.endsWith(field) && object.get(at) === value,
  );
}

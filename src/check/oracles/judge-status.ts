import type { Step } from "../scenario/scenario.ts";
import type { NormalObject, ObjectState } from "../world/object-state.ts";
import type { RunRecord, StepRecord } from "../world/run-record.ts";
import { isNamed, isOfUsers } from "./judge-mirrors.ts";
import type { Violation } from "./violation.ts";

/** What a status says about progress: if a change shows here, the operator may have refused it, or still be at work. */
const progress = /^status\.(phase|state|status|health|conditions\.[^.]+\.(status|reason))$/i;

/**
 * Finds a field of a status that repeats the field of the spec with its path, such as `status.size`, and keeps the old value
 * when that field changes. The rule has no reference to hold the run against, so it is silent whenever the old value may be
 * right: if the operator reports something else than before, or if an object of the operator's keeps that value, too.
 */
export function outdatedCopies(steps: readonly Step[], record: RunRecord): Violation[] {
  return steps.flatMap(({ name, action }): Violation[] => {
    const index = record.steps.findIndex((step) => step.name === name);
    const [before, after] = [record.steps[index - 1], record.steps[index]];
    const path = action.type === "patch" ? onlyField(action.patch) : undefined;
    if (action.type !== "patch" || !path?.startsWith("spec.") || !isAtRest(before) || !isAtRest(after)) return [];
    // An operator may have to ask the programs in its pods before it continues.
    if (record.unreached.has(name)) return [];
    const { kind, name: target } = action.target;
    const [id, resource] = [...before.state].find(([, object]) => isNamed(object, kind, target)) ?? [];
    const changed = id === undefined ? undefined : after.state.get(id);
    const [old, now] = [resource?.get(path), changed?.get(path)];
    if (id === undefined || !resource || !changed || old === undefined || now === undefined || old === now) return [];
    const copy = path.replace("spec.", "status.");
    // Texts that say little are equal by chance.
    if (/^(true|false|null|)$/.test(old) || resource.get(copy) !== old || changed.get(copy) !== old) return [];
    if (!isWrittenByOperator(id, record) || tellsOfProgress(resource, changed)) return [];
    const others = [...before.state].filter(([other, object]) => other !== id && !isOfUsers(steps, object));
    const uses = usesOf(old, others, after.state);
    if (uses.some((value) => value === old)) return [];
    // Either something follows, or the operator says that its status is about this change.
    const isFollowed = uses.some((value) => has(value, now) && !has(value, old));
    const isCurrent = changed.get("status.observedGeneration") === "current" && !uses.some((value) => has(value, old));
    if (!isFollowed && !isCurrent) return [];
    const sentence = `After the step “${name}”, ${copy} of ${id} is still ${old}, although ${path} is ${now}: both were ${old} before.`;
    return [{ oracle: "outdated-status", about: `${id.split(" ")[0]} ${copy}`, sentence }];
  });
}

function isAtRest(step: StepRecord | undefined): step is StepRecord {
  return step?.quiet === true;
}

/** Returns the path of the only field of a patch, if that is a number or a text. */
function onlyField(patch: unknown, path: readonly string[] = []): string | undefined {
  if (typeof patch === "number" || typeof patch === "string") return path.join(".");
  if (typeof patch !== "object" || patch === null) return undefined;
  const [[name, value] = [], second] = Object.entries(patch);
  return name === undefined || second ? undefined : onlyField(value, [...path, name]);
}

function isWrittenByOperator(id: string, { requests }: RunRecord): boolean {
  return requests.some(({ by, changes }) => by === "operator" && changes.some((change) => change.id === id));
}

function tellsOfProgress(before: NormalObject, after: NormalObject): boolean {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].some((path) => progress.test(path) && before.get(path) !== after.get(path));
}

/** Returns what becomes of the values in objects, outside of their status, that contain a value. */
function usesOf(value: string, objects: readonly (readonly [string, NormalObject])[], after: ObjectState): string[] {
  return objects.flatMap(([id, object]) =>
    [...object]
      .filter(([path, text]) => !path.startsWith("status.") && has(text, value))
      .map(([path]) => after.get(id)?.get(path) ?? ""),
  );
}

/** Reports whether a text contains a value as a word. */
function has(text: string, value: string): boolean {
  const at = text.indexOf(value);
  if (at < 0) return false;
  const isWord = (sign: string | undefined): boolean => sign !== undefined && /\w/.test(sign);
  return (!isWord(text[at - 1]) && !isWord(text[at + value.length])) || has(text.slice(at + 1), value);
}

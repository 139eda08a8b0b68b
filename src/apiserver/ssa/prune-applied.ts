import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { bareError } from "../refusals.ts";
import { FieldSet } from "./field-set.ts";
import { convertTo, problemIn, type FindVersion } from "./kind-versions.ts";
import type { Manager, Managers } from "./managers.ts";
import { objectFields, removeFields, withDeclaredParents } from "./object-fields.ts";
import { typedObject, type Typed } from "./typed-node.ts";

export interface Pruning {
  readonly merged: UnstructuredObject;
  readonly typed: Typed;
  /** The version of the request. */
  readonly apiVersion: string;
  readonly findVersion: FindVersion | undefined;
  /** The fields that the manager applied last time. */
  readonly previous: Manager;
  readonly managers: Managers;
}

/**
 * Removes fields that the manager applied last time and that no manager owns now. Converts the object to each manager's
 * version to find its fields.
 */
export async function pruneApplied(pruning: Pruning): Promise<UnstructuredObject> {
  const { merged, typed, apiVersion, findVersion, previous } = pruning;
  await checkDivisible(pruning);
  // A version that is not known has the fields of the request's.
  const knownVersion = (version: string): string => (findVersion?.(version)?.schema ? version : apiVersion);
  const owned = ownedByVersion(pruning.managers, knownVersion);
  const lastVersion = knownVersion(previous.apiVersion);
  const last = previous.fields;
  // Most applies drop no field.
  if (last.difference(owned.get(lastVersion) ?? new FieldSet()).isEmpty) return merged;
  const shapeOf = (version: string): Typed =>
    version === apiVersion ? typed : typedObject(findVersion?.(version)?.schema);
  const shown = new Map([[apiVersion, merged]]);
  async function mergedIn(version: string): Promise<UnstructuredObject> {
    const object = shown.get(version) ?? (await convertTo(findVersion?.(version), merged));
    shown.set(version, object);
    return object;
  }
  const lastShape = shapeOf(lastVersion);
  const lastFields = withDeclaredParents(last, lastShape);
  const before = await mergedIn(lastVersion);
  let pruned = removeFields(before, lastFields, lastShape) as UnstructuredObject;
  let version = lastVersion;
  // First in the version that was applied: a conversion may need the fields that others own.
  for (const next of [lastVersion, ...[...owned.keys()].filter((each) => each !== lastVersion)]) {
    const fields = owned.get(next);
    if (!fields) continue;
    const shape = shapeOf(next);
    const whole = await mergedIn(next);
    if (next !== version) pruned = await convertTo(findVersion?.(next), pruned);
    version = next;
    const keep = fieldsOf(pruned, shape).union(withDeclaredParents(fields, shape));
    pruned = removeFields(whole, fieldsOf(whole, shape).difference(keep), shape) as UnstructuredObject;
  }
  if (version !== lastVersion) pruned = await convertTo(findVersion?.(lastVersion), pruned);
  const dropped = fieldsOf(before, lastShape).difference(fieldsOf(pruned, lastShape)).intersection(lastFields);
  const result = removeFields(before, dropped, lastShape) as UnstructuredObject;
  return lastVersion === apiVersion ? result : await convertTo(findVersion?.(apiVersion), result);
}

function fieldsOf(object: UnstructuredObject, typed: Typed): FieldSet {
  return withDeclaredParents(objectFields(object, typed), typed);
}

/** Refuses an object that the version of the last apply cannot divide into fields. */
async function checkDivisible({ merged, apiVersion, findVersion, previous }: Pruning): Promise<void> {
  if (previous.apiVersion === apiVersion || previous.fields.isEmpty) return;
  const version = findVersion?.(previous.apiVersion);
  const problem = version && problemIn(version, await convertTo(version, merged));
  if (problem === undefined) return;
  throw bareError(`failed to prune fields: failed to convert merged object to last applied version: ${problem}`);
}

function ownedByVersion(managers: Managers, knownVersion: (version: string) => string): Map<string, FieldSet> {
  const owned = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of managers.values()) {
    const version = knownVersion(apiVersion);
    owned.set(version, owned.get(version)?.union(fields) ?? fields);
  }
  return owned;
}

import { isBare, keyOfItem } from "./compare-objects.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import { typedNode, type Typed, type TypedNode, typedObject } from "./typed-node.ts";
import { ownField, setField } from "../../apimachinery/set-field.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { bareError } from "../refusals.ts";
import { FieldSet } from "./field-set.ts";
import { convertTo, problemIn, type FindVersion } from "./kind-versions.ts";
import type { Manager, Managers } from "./managers.ts";
import { objectFields, removeFields, withDeclaredParents } from "./object-fields.ts";

/**
 * Merges an applied object into the live one: members and list items are joined, everything else is replaced. Unchanged
 * parts are shared with the live object.
 */
export function mergeObjects(live: unknown, applied: unknown, typed: Typed): unknown {
  if (applied === undefined) return live;
  if (live === undefined) return applied;
  const node = typedNode(typed, applied ?? live);
  // An applied null adds no members and no items; it is kept only if the live object has none either.
  if (applied === null && isJoined(node) && !isBare(live)) return live;
  if (node.kind === "map" && !node.atomic && isObject(live) && isObject(applied))
    return mergeMembers(live, applied, node);
  if (node.kind === "list" && node.join !== "atomic" && Array.isArray(live) && Array.isArray(applied)) {
    return live.length === 0 && applied.length === 0 ? applied : mergeItems(live, applied, node);
  }
  return applied;
}

function isJoined(node: TypedNode): boolean {
  return node.kind === "map" ? !node.atomic : node.kind === "list" && node.join !== "atomic";
}

type MapNode = Extract<TypedNode, { kind: "map" }>;
type ListNode = Extract<TypedNode, { kind: "list" }>;

function mergeMembers(live: Record<string, unknown>, applied: Record<string, unknown>, { type }: MapNode): unknown {
  const merged = { ...live };
  for (const [name, value] of Object.entries(applied)) {
    const typed = type.field(name) ?? type.others;
    setField(merged, name, typed ? mergeObjects(ownField(live, name), value, typed) : value);
  }
  return merged;
}

/**
 * Merges lists. Both keep their order as far as possible: between two items of both lists, live ones come first. If the
 * orders contradict each other, the applied one wins.
 */
function mergeItems(live: readonly unknown[], applied: readonly unknown[], node: ListNode): unknown[] {
  const liveKeys = live.map((item) => keyOfItem(item, node) ?? "");
  const appliedKeys = applied.map((item) => keyOfItem(item, node) ?? "");
  const [liveItems, appliedItems] = [firstByKey(live, liveKeys), firstByKey(applied, appliedKeys)];
  const shared = appliedKeys.filter((key) => liveItems.has(key));
  const merged: unknown[] = [];
  const done = new Set<string>();
  const takeLive = (key: string, at: number): void => {
    if (!appliedItems.has(key)) merged.push(live[at]);
  };
  const takeApplied = (key: string): void => {
    done.add(key);
    merged.push(mergeObjects(liveItems.get(key), appliedItems.get(key), node.items));
  };
  let [at, nextShared, appliedAt] = [0, 0, 0];
  while (at < liveKeys.length || appliedAt < appliedKeys.length) {
    const [liveKey, appliedKey] = [liveKeys[at], appliedKeys[appliedAt]];
    if (liveKey !== undefined && appliedKey !== undefined) {
      if (liveKey === appliedKey) {
        takeApplied(liveKey);
        at++;
        appliedAt++;
        nextShared++;
        continue;
      }
      const awaited = shared[nextShared];
      if (appliedItems.has(liveKey) && awaited !== undefined && awaited !== liveKey) {
        at++;
        continue;
      }
    }
    if (liveKey !== undefined && (!appliedItems.has(liveKey) || done.has(liveKey))) {
      takeLive(liveKey, at);
      at++;
      continue;
    }
    if (appliedKey === undefined) {
      at++;
      continue;
    }
    takeApplied(appliedKey);
    appliedAt++;
    if (shared[nextShared] === appliedKey) nextShared++;
  }
  return merged;
}

function firstByKey(list: readonly unknown[], keys: readonly string[]): Map<string, unknown> {
  const first = new Map<string, unknown>();
  keys.forEach((key, index) => {
    if (key !== "" && !first.has(key)) first.set(key, list[index]);
  });
  return first;
}

interface Pruning {
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

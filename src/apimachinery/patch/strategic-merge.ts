import type { JsonSchema } from "../json-schema.ts";
import { checkOrder, itemsIn, mergeItems, orderItems } from "./strategic-lists.ts";
import { goType } from "../go-text.ts";
import { isObject } from "../is-object.ts";
import { StrategicMergeError, wrongType, type Fields } from "./strategic-patch.ts";
import { ownField, setField } from "../set-field.ts";

const setElementOrder = "$setElementOrder/";
const deleteFromPrimitiveList = "$deleteFromPrimitiveList/";

/**
 * Applies a strategic merge patch: a merge patch in which the schema defines the lists to merge and their keys, and
 * directives (`$patch`, `$retainKeys`, `$setElementOrder/x`, `$deleteFromPrimitiveList/x`) express the rest. Returns a
 * new value that may share parts with both arguments. Throws StrategicMergeError with the API server's words.
 */
export function applyStrategicMergePatch(original: Fields, patch: Fields, schema: JsonSchema = {}): Fields {
  const kind = patch["$patch"];
  if (kind !== undefined) return replaceOrDelete(kind, patch);
  const { $retainKeys: kept, ...changes } = patch;
  const result = kept === undefined ? { ...original } : retain(original, changes, kept);
  const listed = mergeOrderedLists(result, changes, schema);
  for (const [key, value] of Object.entries(changes)) {
    if (key.startsWith(setElementOrder) || listed.has(key)) continue;
    if (key.startsWith(deleteFromPrimitiveList))
      removeFrom(result, key.slice(deleteFromPrimitiveList.length), value, schema);
    else if (value === null) delete result[key];
    else set(result, key, mergeField(ownField(result, key), value, fieldOf(schema, key)));
  }
  return result;
}

function replaceOrDelete(kind: unknown, patch: Fields): Fields {
  const { $patch: _, ...fields } = patch;
  if (kind === "replace") return fields;
  if (kind === "delete") return {};
  throw new StrategicMergeError(500, `unknown patch type: ${JSON.stringify(kind)} in map: ${JSON.stringify(patch)}`);
}

/** Keeps the fields of the original that `$retainKeys` lists; a patch may not set any others. */
function retain(original: Fields, changes: Fields, kept: unknown): Fields {
  const isDirective = (key: string): boolean =>
    key.startsWith(setElementOrder) || key.startsWith(deleteFromPrimitiveList);
  const names = new Set(itemsIn(kept));
  const misplaced = (key: string): boolean => changes[key] !== null && !isDirective(key) && !names.has(key);
  if (!Array.isArray(kept) || Object.keys(changes).some(misplaced))
    throw new StrategicMergeError(400, "invalid patch format of retainKeys");
  return Object.fromEntries(Object.entries(original).filter(([key]) => names.has(key)));
}

/** Merges the lists with a `$setElementOrder`, and returns their names. */
function mergeOrderedLists(result: Fields, changes: Fields, schema: JsonSchema): Set<string> {
  const done = new Set<string>();
  for (const [directive, order] of Object.entries(changes)) {
    if (!directive.startsWith(setElementOrder)) continue;
    const key = directive.slice(setElementOrder.length);
    const field = fieldOf(schema, key);
    const [live, patch] = [ownField(result, key), ownField(changes, key)];
    done.add(key);
    const lists = [order, ...[live, patch].filter((list) => list !== undefined)];
    for (const list of lists) if (!Array.isArray(list)) throw wrongType([], list);
    if (live === undefined && patch === undefined) continue;
    const mergeKey = field["x-kubernetes-patch-merge-key"];
    checkOrder(itemsIn(patch), itemsIn(order), mergeKey);
    const merged = live === undefined || patch === undefined ? (live ?? take(patch)) : mergeField(live, patch, field);
    setField(result, key, orderItems({ merged, order, live, patch, mergeKey }));
  }
  return done;
}

/** Removes values from a list of scalars. Anything else is merged, or goes if the value is null. */
function removeFrom(result: Fields, key: string, values: unknown, schema: JsonSchema): void {
  const live = ownField(result, key);
  const field = fieldOf(schema, key);
  if (values === null) delete result[key];
  else if (live === undefined || goType(live) !== goType(values)) return;
  else if (!Array.isArray(live)) set(result, key, mergeField(live, values, field));
  else setField(result, key, mergeList(live, values as unknown[], field, true));
}

function mergeField(live: unknown, patch: unknown, schema: JsonSchema): unknown {
  const strategies = (schema["x-kubernetes-patch-strategy"] ?? "").split(",");
  if (isObject(live) && isObject(patch))
    return strategies.includes("replace") ? patch : applyStrategicMergePatch(live, patch, schema);
  if (!Array.isArray(live) || !Array.isArray(patch)) return take(patch);
  if (!strategies.includes("merge")) return patch;
  return mergeList(live, patch, schema);
}

function mergeList(
  live: readonly unknown[],
  patch: readonly unknown[],
  schema: JsonSchema,
  removes = false,
): unknown[] {
  return mergeItems(live, patch, {
    mergeKey: schema["x-kubernetes-patch-merge-key"],
    removes,
    type: schema.items?.type === "string" ? "string" : "struct",
    merge: (item, change) => applyStrategicMergePatch(item, change, schema.items),
  });
}

/** Removes nulls and directives from a new value; returns `undefined` if nothing is left. */
function take(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(take).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (value["$patch"] !== undefined) return undefined;
  const fields: Fields = {};
  for (const [key, child] of Object.entries(value)) if (child !== null) set(fields, key, take(child));
  return fields;
}

function set(fields: Fields, key: string, value: unknown): void {
  if (value === undefined) delete fields[key];
  else setField(fields, key, value);
}

function fieldOf(schema: JsonSchema, key: string): JsonSchema {
  if (schema.properties && Object.hasOwn(schema.properties, key)) return schema.properties[key] ?? {};
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
}

import { equalJson } from "../equal.ts";
import { isObject } from "../is-object.ts";
import { ownField, setField } from "../set-field.ts";

/**
 * Applies a JSON merge patch (RFC 7386). Neither argument is changed. As for an API server, a field that is null does not
 * exist in the objects of a list, either, unless the list replaces an object.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return isObject(target) ? patch : withoutNulls(patch);
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else setField(result, key, applyMergePatch(ownField(result, key), value));
  }
  return result;
}

function withoutNulls(value: unknown): unknown {
  return Array.isArray(value) ? value.map((item) => applyMergePatch(undefined, item)) : value;
}

/** Returns the merge patch from `from` to `to`: changed fields with their new value, removed ones as null. */
export function createMergePatch(from: unknown, to: unknown): unknown {
  if (!isObject(from) || !isObject(to)) return to;
  const patch: Record<string, unknown> = {};
  for (const key of Object.keys(from)) {
    if (from[key] !== undefined && ownField(to, key) === undefined) setField(patch, key, null);
  }
  for (const [key, value] of Object.entries(to)) {
    const old = ownField(from, key);
    if (value === undefined || equalJson(old, value)) continue;
    setField(patch, key, isObject(old) && isObject(value) ? createMergePatch(old, value) : value);
  }
  return patch;
}

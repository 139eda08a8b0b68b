import { equalJson } from "../equal.ts";

/** Applies a JSON merge patch (RFC 7386) and returns the result; neither argument is changed. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const result: Record<string, unknown> = isFields(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = applyMergePatch(result[key], value);
  }
  return result;
}

/** The merge patch that makes `to` of `from`: changed fields with their new value, vanished ones as null. */
export function createMergePatch(from: unknown, to: unknown): unknown {
  if (!isFields(from) || !isFields(to)) return to;
  const patch: Record<string, unknown> = {};
  for (const key of Object.keys(from)) {
    if (from[key] !== undefined && to[key] === undefined) patch[key] = null;
  }
  for (const [key, value] of Object.entries(to)) {
    if (value === undefined || equalJson(from[key], value)) continue;
    patch[key] = isFields(from[key]) && isFields(value) ? createMergePatch(from[key], value) : value;
  }
  return patch;
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

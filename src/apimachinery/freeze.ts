/**
 * Freezes plain JSON recursively, so that a write to it throws. Returns the same value. A frozen value is assumed to be
 * frozen recursively.
 */
export function freezeJson<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  if (Array.isArray(value)) for (const item of value) freezeJson(item);
  else for (const key in value) freezeJson(value[key]);
  return value;
}

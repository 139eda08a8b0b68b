/**
 * Freezes plain JSON recursively, so that a write to it throws. Returns the same value. A frozen value is assumed to be
 * frozen recursively.
 */
export function freezeJson<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Array.isArray(value) ? value : Object.values(value)) freezeJson(child);
  return value;
}

/**
 * Freezes plain JSON down to the leaves, so that a write to it throws where it happens. Returns the same value. What is
 * frozen already is taken to be frozen all the way down.
 */
export function freezeJson<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Array.isArray(value) ? value : Object.values(value)) freezeJson(child);
  return value;
}

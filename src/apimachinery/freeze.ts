/** Freezes plain JSON down to the leaves, so that a write to it throws where it happens. Returns the same value. */
export function freezeJson<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const child of Object.values(value)) freezeJson(child);
  return Object.freeze(value);
}

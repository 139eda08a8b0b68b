/**
 * Freezes plain JSON recursively, so that a write to it throws. Returns the same value. A frozen value is assumed to be
 * frozen recursively.
 */
export function freezeJson<T>(value: T): T {
  try {
    return freeze(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return freezeWithoutStack(value);
  }
}

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  if (Array.isArray(value)) for (const item of value) freeze(item);
  else for (const key in value) freeze(value[key]);
  return value;
}

/** Freezes an object that is nested deeper than the stack, of which the upper part is frozen already. */
function freezeWithoutStack<T>(value: T): T {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const each = pending.pop();
    if (typeof each !== "object" || each === null) continue;
    for (const member of Object.values(Object.freeze(each))) pending.push(member);
  }
  return value;
}

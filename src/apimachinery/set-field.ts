/**
 * Sets a field whose name comes from outside. An assignment to `__proto__` would change the prototype of the object
 * instead of adding a field.
 */
export function setField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
  else fields[name] = value;
}

/** Returns a field of the object itself: a name such as `constructor` does not find the prototype's. */
export function ownField(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

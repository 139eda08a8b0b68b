/**
 * Reports whether a value is an Error, also one of another realm: jest and some pools of vitest run programs in a realm
 * of their own, where errors of Node are not `instanceof Error`.
 */
export function isError(value: unknown): value is Error {
  if (value instanceof Error) return true;
  return /^\[object (Error|DOMException)\]$/.test(Object.prototype.toString.call(value));
}

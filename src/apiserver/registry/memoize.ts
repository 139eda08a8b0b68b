import type { UnstructuredObject } from "../../apimachinery/meta.ts";

/** Returns a function that converts each object once: readers share the result and can compare it by identity. */
export function memoize(
  convert: (stored: UnstructuredObject) => UnstructuredObject,
): (stored: UnstructuredObject) => UnstructuredObject {
  const known = new WeakMap<UnstructuredObject, UnstructuredObject>();
  return (stored) => {
    const found = known.get(stored) ?? convert(stored);
    known.set(stored, found);
    return found;
  };
}

import type { UnstructuredObject } from "../../apimachinery/meta.ts";

/** Converts each stored object once: its readers share the result, and comparing by identity stays true. */
export function memoized(
  convert: (stored: UnstructuredObject) => UnstructuredObject,
): (stored: UnstructuredObject) => UnstructuredObject {
  const known = new WeakMap<UnstructuredObject, UnstructuredObject>();
  return (stored) => {
    const found = known.get(stored) ?? convert(stored);
    known.set(stored, found);
    return found;
  };
}

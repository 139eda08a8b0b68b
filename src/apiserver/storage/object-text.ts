import type { UnstructuredObject } from "../../apimachinery/meta.ts";

const texts = new WeakMap<UnstructuredObject, string>();

/** An object as JSON. Of a stored one, which is frozen, it is made once: answers, watches and lists share it. */
export function objectText(object: UnstructuredObject): string {
  const known = texts.get(object);
  if (known !== undefined) return known;
  const text = JSON.stringify(object);
  if (Object.isFrozen(object)) texts.set(object, text);
  return text;
}

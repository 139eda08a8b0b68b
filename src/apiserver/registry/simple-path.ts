import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import { ownField, setField } from "../../apimachinery/set-field.ts";

/** Sets the value at a plain path, creating missing parents. */
export function setAt(object: UnstructuredObject, path: string, value: unknown): void {
  const names = namesOf(path);
  const last = names.pop() ?? "";
  let parent: Record<string, unknown> = object;
  for (const name of names) {
    const own = ownField(parent, name);
    const next = isObject(own) ? own : {};
    if (next !== own) setField(parent, name, next);
    parent = next;
  }
  setField(parent, last, value);
}

/** Returns the names on a plain path such as `.spec.replicas` or `spec.replicas`. */
export function namesOf(path: string): string[] {
  return path.split(".").filter((name) => name !== "");
}

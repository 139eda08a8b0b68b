import { isObject } from "../../../apimachinery/is-object.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Returns an object of any shape as its fields; none for another value. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

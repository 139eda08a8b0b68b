import type { Fields } from "../../../apimachinery/fields.ts";

/** The value at a path of field names; `undefined` as soon as something on the way is no object. */
export function valueAt(object: unknown, ...path: string[]): unknown {
  let value = object;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Fields)[name];
  }
  return value;
}

/** The text at a path, `""` when there is none, as in Go's structs. */
export function textAt(object: unknown, ...path: string[]): string {
  const value = valueAt(object, ...path);
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** The number at a path, 0 when there is none. */
export function numberAt(object: unknown, ...path: string[]): number {
  const value = valueAt(object, ...path);
  return typeof value === "number" ? value : 0;
}

/** The objects of a list at a path; empty when there is none. */
export function listAt(object: unknown, ...path: string[]): readonly Fields[] {
  const value = valueAt(object, ...path);
  return Array.isArray(value) ? (value as Fields[]) : [];
}

/** The texts of a list at a path. */
export function textsAt(object: unknown, ...path: string[]): readonly string[] {
  const value = valueAt(object, ...path);
  return Array.isArray(value) ? value.map(String) : [];
}

/** The members of a map at a path. */
export function mapAt(object: unknown, ...path: string[]): Fields {
  const value = valueAt(object, ...path);
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** The status of a condition; `undefined` when the object has none of that type. */
export function conditionOf(object: unknown, type: string): Fields | undefined {
  return listAt(object, "status", "conditions").find((condition) => condition["type"] === type);
}

export function isConditionTrue(object: unknown, type: string): boolean {
  return conditionOf(object, type)?.["status"] === "True";
}

export function isTerminating(object: unknown): boolean {
  return valueAt(object, "metadata", "deletionTimestamp") !== undefined;
}

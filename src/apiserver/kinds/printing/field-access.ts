import type { Fields } from "../../../apimachinery/fields.ts";

/** Returns the value at a path of field names; `undefined` if a parent is not an object. */
export function valueAt(object: unknown, ...path: string[]): unknown {
  let value = object;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Fields)[name];
  }
  return value;
}

/** Returns the text at a path; `""` if there is none, as in Go's structs. */
export function textAt(object: unknown, ...path: string[]): string {
  const value = valueAt(object, ...path);
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** Returns the number at a path; 0 if there is none. */
export function numberAt(object: unknown, ...path: string[]): number {
  const value = valueAt(object, ...path);
  return typeof value === "number" ? value : 0;
}

/** Returns the objects of the list at a path, or an empty list if the path has no list. */
export function listAt(object: unknown, ...path: string[]): readonly Fields[] {
  const value = valueAt(object, ...path);
  return Array.isArray(value) ? (value as Fields[]) : [];
}

/** Returns the texts of a list at a path. */
export function textsAt(object: unknown, ...path: string[]): readonly string[] {
  const value = valueAt(object, ...path);
  return Array.isArray(value) ? value.map(String) : [];
}

/** Returns the members of a map at a path. */
export function mapAt(object: unknown, ...path: string[]): Fields {
  const value = valueAt(object, ...path);
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** Returns a condition by its type. */
export function conditionOf(object: unknown, type: string): Fields | undefined {
  return listAt(object, "status", "conditions").find((condition) => condition["type"] === type);
}

export function isConditionTrue(object: unknown, type: string): boolean {
  return conditionOf(object, type)?.["status"] === "True";
}

export function isTerminating(object: unknown): boolean {
  return valueAt(object, "metadata", "deletionTimestamp") !== undefined;
}

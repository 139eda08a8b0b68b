import { isObject } from "./is-object.ts";

/** An object without a static type. */
export type Fields = Record<string, unknown>;

/** Sets fields that are absent or null. Defaults that are objects are copied, so constants can be passed. */
export function fill(target: Fields, defaults: Readonly<Fields>): void {
  for (const [name, value] of Object.entries(defaults))
    target[name] ??= typeof value === "object" && value !== null ? structuredClone(value) : value;
}

/** Returns a child object; creates it if it is missing. */
export function child(parent: Fields, name: string): Fields {
  return (parent[name] ??= {}) as Fields;
}

/** Returns a child object if it exists. */
export function childIf(parent: Fields | undefined, name: string): Fields | undefined {
  const value = parent?.[name];
  return isObject(value) ? value : undefined;
}

/** Returns the items of a child list; empty if there is none. */
export function items(parent: Fields | undefined, name: string): Fields[] {
  const value = parent?.[name];
  return Array.isArray(value) ? (value as Fields[]) : [];
}

/** Returns a value that is a text; an empty text for any other value. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

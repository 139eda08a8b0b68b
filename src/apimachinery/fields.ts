import { isObject } from "./is-object.ts";

/** A part of an object whose shape is only known to the code that defaults it. */
export type Fields = Record<string, unknown>;

/** Sets the fields that are absent or null. Default objects are copied, so a constant can be given. */
export function fill(target: Fields, defaults: Readonly<Fields>): void {
  for (const [name, value] of Object.entries(defaults))
    target[name] ??= typeof value === "object" && value !== null ? structuredClone(value) : value;
}

/** A child object, made when it is missing. */
export function child(parent: Fields, name: string): Fields {
  return (parent[name] ??= {}) as Fields;
}

/** A child object, if there is one. */
export function childIf(parent: Fields | undefined, name: string): Fields | undefined {
  const value = parent?.[name];
  return isObject(value) ? value : undefined;
}

/** The items of a child list; empty when there is none. */
export function items(parent: Fields | undefined, name: string): Fields[] {
  const value = parent?.[name];
  return Array.isArray(value) ? (value as Fields[]) : [];
}

/** A value that is a text; empty for any other. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

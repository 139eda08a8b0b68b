import { isObject } from "../is-object.ts";
import type { JsonSchema } from "../json-schema.ts";
import { ownField } from "../set-field.ts";
import { sortMembers } from "../sort-members.ts";

/** Returns a field of a value; `undefined` unless the value is an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? ownField(value, name) : undefined;
}

/** Returns a function that writes the keys of an item of a list map as a text, which no item with other keys has. */
export function itemIdentity(schema: JsonSchema): (item: unknown) => string {
  const keys = (schema["x-kubernetes-list-map-keys"] ?? []).map((name) => ({
    name,
    otherwise: schema.items?.properties?.[name]?.default,
  }));
  return (item) => {
    let text = "";
    for (const { name, otherwise } of keys) {
      const value = fieldOf(item, name) ?? otherwise;
      text += `${JSON.stringify(typeof value === "object" ? sortMembers(value) : value)},`;
    }
    return text;
  };
}

/**
 * Returns a function that finds the old item of a new one by its keys in a list map. Items of other lists cannot be
 * identified, so they have no old value.
 */
export function oldItems(schema: JsonSchema, old: unknown): (item: unknown) => unknown {
  if (schema["x-kubernetes-list-type"] !== "map" || !Array.isArray(old)) return () => undefined;
  const identityOf = itemIdentity(schema);
  let byIdentity: Map<string, unknown> | undefined;
  return (item) => {
    // Of items with the same keys, the first counts.
    byIdentity ??= new Map(old.toReversed().map((other: unknown) => [identityOf(other), other]));
    return byIdentity.get(identityOf(item));
  };
}

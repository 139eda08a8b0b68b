import { isObject } from "../is-object.ts";
import type { JsonSchema } from "../json-schema.ts";
import { ownField } from "../set-field.ts";
import { sortMembers } from "../sort-members.ts";

/** Returns the field of the old value that corresponds to one of the new value. */
export function oldField(old: unknown, name: string): unknown {
  return isObject(old) ? ownField(old, name) : undefined;
}

/**
 * Returns a function that finds the old item of a new one by its keys in a list map. Items of other lists cannot be
 * identified, so they have no old value.
 */
export function oldItems(schema: JsonSchema, old: unknown): (item: unknown) => unknown {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (schema["x-kubernetes-list-type"] !== "map" || !Array.isArray(old)) return () => undefined;
  const identityOf = (item: unknown): string =>
    JSON.stringify(keys.map((key) => sortMembers(oldField(item, key) ?? schema.items?.properties?.[key]?.default)));
  let byIdentity: Map<string, unknown> | undefined;
  return (item) => {
    // Of items with the same keys, the first counts.
    byIdentity ??= new Map(old.toReversed().map((other: unknown) => [identityOf(other), other]));
    return byIdentity.get(identityOf(item));
  };
}

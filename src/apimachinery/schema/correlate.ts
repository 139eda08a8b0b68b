import { equalJson } from "../equal.ts";
import { isObject } from "../is-object.ts";
import type { JsonSchema } from "../json-schema.ts";

/** Returns the field of the old value that corresponds to one of the new value. */
export function oldField(old: unknown, name: string): unknown {
  return isObject(old) && Object.hasOwn(old, name) ? old[name] : undefined;
}

/**
 * Returns a function that finds the old item of a new one by its keys in a list map. Items of other lists cannot be
 * identified, so they have no old value.
 */
export function oldItems(schema: JsonSchema, old: unknown): (item: unknown) => unknown {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (schema["x-kubernetes-list-type"] !== "map" || !Array.isArray(old)) return () => undefined;
  const valueOf = (item: unknown, key: string): unknown =>
    oldField(item, key) ?? schema.items?.properties?.[key]?.default;
  return (item) => old.find((other) => keys.every((key) => equalJson(valueOf(other, key), valueOf(item, key))));
}

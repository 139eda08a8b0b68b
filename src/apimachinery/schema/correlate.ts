import { equalJson } from "../equal.ts";
import { isObject } from "../is-object.ts";
import type { JsonSchema } from "../json-schema.ts";

/** A field of the old value that a field of the new one can be compared with. */
export function oldField(old: unknown, name: string): unknown {
  return isObject(old) && Object.hasOwn(old, name) ? old[name] : undefined;
}

/**
 * Finds the old item that a new one stands for: by its keys in a list map. Items of other lists can't be told apart, so
 * they have no old value.
 */
export function oldItems(schema: JsonSchema, old: unknown): (item: unknown) => unknown {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (schema["x-kubernetes-list-type"] !== "map" || !Array.isArray(old)) return () => undefined;
  const valueOf = (item: unknown, key: string): unknown =>
    oldField(item, key) ?? schema.items?.properties?.[key]?.default;
  return (item) => old.find((other) => keys.every((key) => equalJson(valueOf(other, key), valueOf(item, key))));
}

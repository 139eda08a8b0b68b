import type { JsonSchema } from "../../apimachinery/json-schema.ts";

/** No server accepts more: even the shortest schemas would exceed the 1.5 MiB of etcd. */
export const mostSchemas = 100_000;

/** The limit of named types with their arguments, which generic types can multiply as well. */
export const mostTypes = 10_000;

const sizes = new WeakMap<JsonSchema, number>();

/**
 * Counts the schemas in a flat schema as it is written, where each use of a type repeats the type. Shared parts are
 * counted once and multiplied, as their number can grow with the power of the depth.
 */
export function countSchemas(schema: JsonSchema): number {
  const known = sizes.get(schema);
  if (known !== undefined) return known;
  const parts = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : []),
    ...[schema.allOf, schema.anyOf, schema.oneOf].flatMap((branches) => branches ?? []),
  ];
  const size = parts.reduce((sum, part) => sum + countSchemas(part), 1);
  sizes.set(schema, size);
  return size;
}

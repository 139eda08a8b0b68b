import type { JsonSchema } from "./json-schema.ts";

/** Applies a function to the schemas of properties, items and values; returns only the keywords that hold them. */
export function mapSubschemas(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const { items, additionalProperties, properties } = schema;
  return {
    ...(items && { items: change(items) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: change(additionalProperties) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, change(property)])),
    }),
  };
}

import type { JsonSchema } from "../json-schema.ts";

/**
 * Returns a schema of v1beta1 with the types that v1 requires: an object for properties, a list for items, an
 * int-or-string for a choice of both, and any value for the rest.
 */
export function completeTypes(schema: JsonSchema): JsonSchema {
  const { properties, items, additionalProperties: values } = schema;
  return {
    ...schema,
    ...missingType(schema),
    ...(properties ? { properties: completeAll(properties) } : {}),
    ...(items || schema.type === "array" ? { items: completeTypes(items ?? {}) } : {}),
    ...(typeof values === "object" ? { additionalProperties: completeTypes(values) } : {}),
  };
}

function completeAll(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, completeTypes(property)]));
}

function missingType(schema: JsonSchema): JsonSchema {
  const { type, properties, additionalProperties, items, anyOf, enum: values } = schema;
  if (type || schema["x-kubernetes-int-or-string"] || schema["x-kubernetes-preserve-unknown-fields"]) return {};
  if (properties || additionalProperties) return { type: "object" };
  if (items) return { type: "array" };
  const choices = anyOf?.map((choice) => choice.type);
  if (choices?.join() === "integer,string") return { "x-kubernetes-int-or-string": true };
  return values?.every((value) => typeof value === "string")
    ? { type: "string" }
    : { "x-kubernetes-preserve-unknown-fields": true };
}

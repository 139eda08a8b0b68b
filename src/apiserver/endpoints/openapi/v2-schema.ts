import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { mapValues } from "./definitions.ts";

/**
 * Converts a schema of version 3, without the keywords that version 2 does not have. kubectl would report unknown fields
 * beside known ones as errors, so an object that keeps them has no properties.
 */
export function v2Schema(schema: JsonSchema): JsonSchema {
  const { nullable, default: _default, anyOf: _anyOf, oneOf, not: _not, allOf, $ref, ...rest } = schema;
  const kinds = rest["x-kubernetes-group-version-kind"];
  if (kinds && rest["x-kubernetes-preserve-unknown-fields"])
    return { type: "object", "x-kubernetes-group-version-kind": kinds };
  const [{ $ref: only = $ref } = {}] = allOf?.length === 1 ? allOf : [];
  const shown: JsonSchema = { ...rest, ...(only !== undefined && { $ref: v2Reference(only) }) };
  // A built-in type that is a text or a number is declared as a text.
  if (oneOf && rest.type === undefined && oneOf.some(({ type }) => type === "string")) shown.type = "string";
  if (nullable || rest["x-kubernetes-preserve-unknown-fields"]) {
    delete shown.type;
    delete shown.properties;
    delete shown.items;
    if (rest["x-kubernetes-embedded-resource"]) dropTypeFields(shown);
  }
  if (shown.properties) shown.properties = mapValues(shown.properties, v2Schema);
  if (shown.items) shown.items = v2Schema(shown.items);
  if (typeof shown.additionalProperties === "object") shown.additionalProperties = v2Schema(shown.additionalProperties);
  return shown;
}

/** The kind of an embedded object is required only beside its properties. */
function dropTypeFields(schema: JsonSchema): void {
  const required = schema.required?.filter((name) => name !== "kind" && name !== "apiVersion") ?? [];
  if (required.length > 0) schema.required = required;
  else delete schema.required;
}

function v2Reference(reference: string): string {
  return reference.replace("#/components/schemas/", "#/definitions/");
}

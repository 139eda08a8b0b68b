import { mapValues } from "./definitions.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import { openApiSchemas } from "./open-api-schemas.ts";

/** The definitions of version 2: those of version 3, less what it has no words for. */
export function v2Schemas(resources: readonly ServedResource[]): Record<string, JsonSchema> {
  return { ...mapValues(openApiSchemas(resources), v2Schema), ...texts };
}

/** What may be a number as well is called a text there. */
const texts: Readonly<Record<string, JsonSchema>> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": { type: "string" },
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": { type: "string", format: "int-or-string" },
};

/** A schema as kubectl understands it, which would take unknown fields for mistakes beside known ones. */
export function v2Schema(schema: JsonSchema): JsonSchema {
  const { nullable, default: _default, anyOf: _anyOf, oneOf: _oneOf, not: _not, allOf, $ref, ...rest } = schema;
  const [{ $ref: only = $ref } = {}] = allOf?.length === 1 ? allOf : [];
  const shown: JsonSchema = { ...rest, ...(only !== undefined && { $ref: v2Reference(only) }) };
  if (nullable || rest["x-kubernetes-preserve-unknown-fields"]) {
    delete shown.type;
    delete shown.properties;
    delete shown.items;
    if (rest["x-kubernetes-embedded-resource"]) delete shown.required;
  }
  if (shown.properties) shown.properties = mapValues(shown.properties, v2Schema);
  if (shown.items) shown.items = v2Schema(shown.items);
  if (typeof shown.additionalProperties === "object") shown.additionalProperties = v2Schema(shown.additionalProperties);
  return shown;
}

function v2Reference(reference: string): string {
  return reference.replace("#/components/schemas/", "#/definitions/");
}

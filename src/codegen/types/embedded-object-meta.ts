import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { mapSubschemas } from "./map-subschemas.ts";
import { inheritName, typeOf } from "./type-names.ts";

/** Gives the metadata of embedded objects, such as pod templates, the fields that the server keeps in a custom resource. */
export function withEmbeddedObjectMeta(schema: JsonSchema): JsonSchema {
  const type = typeOf(schema);
  if (type?.name === "ObjectMeta" && type.file === undefined) return inheritName({ ...schema, properties }, schema);
  const changed = mapSubschemas(schema, withEmbeddedObjectMeta);
  return Object.keys(changed).length > 0 ? inheritName({ ...schema, ...changed }, schema) : schema;
}

const text: JsonSchema = { type: "string" };
const texts: JsonSchema = { type: "object", additionalProperties: text };

/** The fields that controller-gen writes with `generateEmbeddedObjectMeta=true`. */
const properties: Readonly<Record<string, JsonSchema>> = {
  annotations: texts,
  finalizers: { type: "array", items: text },
  labels: texts,
  name: text,
  namespace: text,
};

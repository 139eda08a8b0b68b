import type { JsonSchema } from "../json-schema.ts";

const known = new WeakMap<JsonSchema, boolean>();

/** Reports whether a schema contains CEL rules, for which the CEL library is loaded. Computed once for each schema. */
export function hasRules(schema: JsonSchema): boolean {
  const answer = known.get(schema) ?? search(schema);
  known.set(schema, answer);
  return answer;
}

function search(schema: JsonSchema): boolean {
  const { properties = {}, additionalProperties, items, allOf = [] } = schema;
  const children = [...Object.values(properties), additionalProperties, items, ...allOf];
  return (
    (schema["x-kubernetes-validations"]?.length ?? 0) > 0 ||
    children.some((child) => typeof child === "object" && search(child))
  );
}

import { fieldOfDefault } from "../schema/default-errors.ts";
import type { FieldError } from "../schema/field-error.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { isEmbedded } from "./schema-type.ts";
import { validateRules } from "./validate-rules.ts";

/** Defaults that break the rules of their own schema. `path` leads to the schema. */
export function defaultRuleErrors(schema: JsonSchema, path: string): FieldError[] {
  const { properties = {}, additionalProperties: additional, items } = schema;
  return [
    ...ownErrors(schema, path),
    ...Object.entries(properties).flatMap(([name, child]) => defaultRuleErrors(child, `${path}.properties[${name}]`)),
    ...(typeof additional === "object" ? defaultRuleErrors(additional, `${path}.additionalProperties`) : []),
    ...(items ? defaultRuleErrors(items, `${path}.items`) : []),
  ];
}

function ownErrors(schema: JsonSchema, path: string): FieldError[] {
  if (schema.default === undefined || schema.default === null) return [];
  const { errors } = validateRules(schema, schema.default, { isResource: isEmbedded(schema) });
  return errors.map((error) => ({ ...error, field: fieldOfDefault(path, error.field) }));
}

import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { type FieldError, joinField, notSupported, required } from "../../../apimachinery/field-error.ts";

/**
 * Returns the errors of required fields and known words of a built-in kind. Kubernetes hard-codes these checks; here,
 * they follow from the schema. To Go, an empty value is absent.
 */
export function requiredErrors(schema: JsonSchema, value: unknown, path: string): FieldError[] {
  if (schema.enum && typeof value === "string" && value !== "" && !schema.enum.includes(value))
    return [notSupported(path, value, schema.enum)];
  const { items, properties = {}, additionalProperties } = schema;
  if (Array.isArray(value))
    return items ? value.flatMap((item, index) => requiredErrors(items, item, `${path}[${index}]`)) : [];
  if (typeof value !== "object" || value === null) return [];
  const fields = value as Record<string, unknown>;
  const missing = (schema.required ?? []).filter((name) => isMissing(fields[name]));
  const below = Object.entries(fields).flatMap(([name, child]) => {
    const type = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return typeof type === "object" ? requiredErrors(type, child, joinField(path, name)) : [];
  });
  return [...missing.map((name) => required(joinField(path, name))), ...below];
}

/** Reports whether a value is missing. A zero or false is checked by the rules of the kind. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

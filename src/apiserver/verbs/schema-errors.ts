import { compileRules } from "../../apimachinery/cel/rule-tree.ts";
import { validateRules } from "../../apimachinery/cel/validate-rules.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { FieldError } from "../../apimachinery/schema/field-error.ts";
import type { JsonSchema } from "../../apimachinery/schema/json-schema.ts";
import { validateValue } from "../../apimachinery/schema/validate-value.ts";
import type { Call } from "./call.ts";

/** What the schema of the kind, and the rules in it, say of an object. */
export function schemaErrors(
  call: Call,
  object: UnstructuredObject,
  old: UnstructuredObject | undefined,
): FieldError[] {
  const { resource } = call.entry;
  const schema = resource.schema();
  if (!schema) return [];
  if (!resource.custom) return builtinErrors(schema, object, resource.kind);
  const errors = validateValue(schema, object);
  if (!compileRules(schema, true)) return errors;
  if (errors.some(({ reason }) => hidesRules.has(reason))) return [...errors, unchecked];
  const findings = validateRules(schema, object, { old });
  call.warnings.push(...findings.warnings.map(({ field, message }) => `${field}: ${message}`));
  return [...errors, ...findings.errors];
}

/** With one of these a value may be of another type or size than the rules are made for. */
const hidesRules = new Set<string>([
  "FieldValueRequired",
  "FieldValueTypeInvalid",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueNotSupported",
]);

const unchecked: FieldError = {
  reason: "FieldValueInvalid",
  field: "<nil>",
  message:
    "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing " +
    "errors to complete validation",
};

const builtinReasons = new Set<string>(["FieldValueRequired", "FieldValueNotSupported"]);

/**
 * Built-in kinds have rules in code instead of a schema on a real server. What the schema says of their spec is true all
 * the same: what is required, and which words are known.
 */
function builtinErrors(schema: JsonSchema, object: UnstructuredObject, kind: string): FieldError[] {
  const spec = schema.properties?.["spec"];
  if (!spec || object["spec"] === undefined || kind === "CustomResourceDefinition") return [];
  return validateValue(spec, object["spec"], { path: "spec" }).filter(({ reason }) => builtinReasons.has(reason));
}

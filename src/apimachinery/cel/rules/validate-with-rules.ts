import { validateValue } from "../../schema/validate-value.ts";
import type { FieldError } from "../../field-error.ts";
import type { JsonSchema } from "../../json-schema.ts";
import { validateRules, type RuleFindings } from "./validate-rules.ts";
import { compileRules } from "./rule-tree.ts";

/** After one of these errors, the value does not have the type that the rules expect, and they do not run. */
const blocking: ReadonlySet<string> = new Set([
  "FieldValueRequired",
  "FieldValueTypeInvalid",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueNotSupported",
]);

/**
 * Returns the errors of an object against its schema and the rules in it. On update, `old` is the previous object:
 * unchanged parts are not rejected, but a broken rule causes a warning. `before` lists the errors found so far.
 */
export function validateWithRules(
  schema: JsonSchema,
  object: unknown,
  old?: unknown,
  before: readonly { readonly reason?: string }[] = [],
): RuleFindings {
  const errors = validateValue(schema, object, { old });
  if (!compileRules(schema, true)) return { errors, warnings: [] };
  if ([...before, ...errors].some(({ reason }) => blocking.has(reason ?? "")))
    return { errors: [...errors, notChecked], warnings: [] };
  const found = validateRules(schema, object, { old });
  return { errors: [...errors, ...found.errors], warnings: found.warnings };
}

const notChecked: FieldError = {
  reason: "FieldValueInvalid",
  field: "<nil>",
  message:
    "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
};

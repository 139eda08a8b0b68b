import { validateValue } from "../../apimachinery/schema/validate-value.ts";
import type { FieldError } from "../../apimachinery/schema/field-error.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { validateRules, type RuleFindings } from "./validate-rules.ts";
import { compileRules } from "./rule-tree.ts";

/** With one of these, the value is not what rules were written for, and they do not run. */
const blocking: ReadonlySet<string> = new Set([
  "FieldValueRequired",
  "FieldValueTypeInvalid",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueNotSupported",
]);

/**
 * Everything that a schema and its rules find wrong with a whole object. On update, `old` is the object before: what did
 * not change is forgiven, with a warning if it breaks a rule. `before` is what was found wrong already.
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

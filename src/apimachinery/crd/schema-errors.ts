import type { FieldError } from "../schema/field-error.ts";
import { hasRules } from "../schema/has-rules.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { structuralErrors } from "../schema/structural-errors.ts";

/**
 * Everything that an API server finds wrong with the schema of a CRD. `path` is where it stands. Rules are compiled only
 * for a schema that is sound: they get their types from it.
 */
export async function schemaErrors(schema: JsonSchema, path: string): Promise<FieldError[]> {
  const errors = structuralErrors(schema, path);
  if (errors.length > 0 || !hasRules(schema)) return errors;
  // A large library, which whoever has no rules never loads.
  const { ruleErrors } = await import("../cel/rule-errors.ts");
  return ruleErrors(schema, path);
}

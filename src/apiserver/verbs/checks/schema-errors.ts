import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { FieldError } from "../../../apimachinery/schema/field-error.ts";
import { hasRules } from "../../../apimachinery/schema/has-rules.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { validateValue } from "../../../apimachinery/schema/validate-value.ts";
import { requiredErrors } from "../../kinds/rules/required-errors.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import type { Call } from "../call/call.ts";

/** What the schema of the kind, and the rules in it, say of an object. What an update did not change is forgiven. */
export function schemaErrors(
  call: Call,
  object: UnstructuredObject,
  { old, before }: Context,
): readonly FieldError[] | Promise<readonly FieldError[]> {
  const { resource, strategy } = call.entry;
  const schema = resource.schema();
  if (!schema || strategy.ignoresSchema) return [];
  if (!resource.custom) return builtinErrors(schema, object);
  return hasRules(schema) ? ruleErrors(schema, call, { object, old, before }) : validateValue(schema, object, { old });
}

interface Context {
  readonly old: UnstructuredObject | undefined;
  /** What is wrong with its metadata. */
  readonly before: readonly StatusCause[];
}

interface Checked extends Context {
  readonly object: UnstructuredObject;
}

async function ruleErrors(
  schema: JsonSchema,
  call: Call,
  { object, old, before }: Checked,
): Promise<readonly FieldError[]> {
  // Rules need a large library, which a server without rules never loads.
  const { validateWithRules } = await import("../../../cel/rules/validate-with-rules.ts");
  const { errors, warnings } = validateWithRules(schema, object, old, before);
  // A retried update finds the same again.
  const texts = warnings.map(({ field, message }) => `${field}: ${message}`);
  call.warnings.push(...texts.filter((text) => !call.warnings.includes(text)));
  return errors;
}

function builtinErrors(schema: JsonSchema, object: UnstructuredObject): FieldError[] {
  const spec = schema.properties?.["spec"];
  return spec && object["spec"] !== undefined ? requiredErrors(spec, object["spec"], "spec") : [];
}

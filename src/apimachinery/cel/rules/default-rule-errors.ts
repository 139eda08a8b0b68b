import { childrenWithDefaults } from "../../schema/default-errors.ts";
import type { FieldError } from "../../field-error.ts";
import type { JsonSchema } from "../../json-schema.ts";
import type { TurnBudget } from "../../turn-budget.ts";
import { validateValue } from "../../schema/validate-value.ts";
import { prepareRules } from "./rule-tree.ts";
import { isEmbedded } from "./schema-type.ts";
import { validateRules } from "./validate-rules.ts";

/** Reports defaults that break the rules of their own schema. `path` is the schema's. */
export async function defaultRuleErrors(schema: JsonSchema, path: string, turns: TurnBudget): Promise<FieldError[]> {
  const errors = await ownErrors(schema, path, turns);
  for (const { child, at } of childrenWithDefaults(schema, path))
    errors.push(...(await defaultRuleErrors(child, at, turns)));
  return errors;
}

async function ownErrors(schema: JsonSchema, path: string, turns: TurnBudget): Promise<FieldError[]> {
  if (schema.default === undefined || schema.default === null) return [];
  // Rules expect values that are valid otherwise. Duplicates in defaults are allowed here.
  if (validateValue(schema, schema.default).some(({ reason }) => reason !== "FieldValueDuplicate")) return [];
  const isResource = isEmbedded(schema);
  await prepareRules(schema, isResource, turns);
  // The default must satisfy its rules as an unchanged value, and as a new one.
  const kept = validateRules(schema, schema.default, { isResource, old: schema.default });
  const broken = [...kept.errors, ...kept.warnings];
  const errors = broken.length > 0 ? broken : validateRules(schema, schema.default, { isResource }).errors;
  return errors.map((error) => ({ ...error, field: fieldOfDefault(path, error.field) }));
}

function fieldOfDefault(path: string, field: string): string {
  if (field === "<nil>") return `${path}.default`;
  return field.startsWith("[") ? `${path}.default${field}` : `${path}.default.${field}`;
}

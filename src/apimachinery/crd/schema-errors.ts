import { childrenOf } from "../schema/children-of.ts";
import { defaultErrors } from "../schema/default-errors.ts";
import { invalid, invalidWhole, type FieldError } from "../field-error.ts";
import { hasRules } from "../schema/has-rules.ts";
import type { JsonSchema } from "../json-schema.ts";
import { keywordErrors } from "../schema/keyword-errors.ts";
import { structuralErrors } from "../schema/structural-errors.ts";
import { TurnBudget } from "../turn-budget.ts";

/**
 * Returns the errors that an API server finds in the schema of a CRD, in its order: defaults are checked against a
 * structural schema, and rules are compiled if the defaults are valid. `path` is the field of the schema.
 */
export async function schemaErrors(schema: JsonSchema, path: string): Promise<FieldError[]> {
  const keywords = keywordErrors(schema, path);
  const isConvertible = !forbidsUnknown(schema);
  const structure = isConvertible ? structuralErrors(schema, path) : [];
  const isSound = isConvertible && structure.length === 0;
  const defaults = isSound ? defaultErrors(schema, path) : [];
  if (!hasRules(schema)) return [...keywords, ...structure, ...defaults];
  // A large library: load it only for schemas with rules.
  const [{ ruleErrors, ruleTextErrors }, { defaultRuleErrors }] = await Promise.all([
    import("../cel/rules/rule-errors.ts"),
    import("../cel/rules/validate-rules.ts"),
  ]);
  // Rules take long if there are many of them.
  const turns = new TurnBudget();
  if (isSound) defaults.push(...(await defaultRuleErrors(schema, path, turns)));
  if (isSound && defaults.length === 0)
    return [...keywords, ...(await ruleErrors(schema, path, { unsound: keywords, turns }))];
  return [...keywords, ...ruleTextErrors(schema, path), ...structure, ...defaults];
}

/** Reports whether a part of a schema has `x-kubernetes-preserve-unknown-fields: false`, which ends the conversion. */
function forbidsUnknown(schema: JsonSchema): boolean {
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) return true;
  return [...childrenOf(schema, "")].some(({ child }) => forbidsUnknown(child));
}

/** The keywords that remain in force if the server checks a status alone, by the names of their fields in Go. */
const allowed = [
  "Description",
  "Type",
  "Format",
  "Title",
  "Maximum",
  "ExclusiveMaximum",
  "Minimum",
  "ExclusiveMinimum",
  "MaxLength",
  "MinLength",
  "Pattern",
  "MaxItems",
  "MinItems",
  "UniqueItems",
  "MultipleOf",
  "Required",
  "Items",
  "Properties",
  "ExternalDocs",
  "Example",
  "XPreserveUnknownFields",
  "XValidations",
];
const extensions: Readonly<Record<string, string>> = {
  XPreserveUnknownFields: "x-kubernetes-preserve-unknown-fields",
  XValidations: "x-kubernetes-validations",
};
const keywords = new Set(allowed.map((name) => extensions[name] ?? name.charAt(0).toLowerCase() + name.slice(1)));

/** Returns the errors of an API server in the root of a kind's schema that follow from the status subresource. */
export function rootErrorsWithStatus(schema: JsonSchema, path: string): FieldError[] {
  const { type } = schema;
  const where = "at the root of the schema if the status subresource is enabled";
  if (type !== undefined && type !== "object")
    return [invalid(`${path}.type`, type, `only "object" is allowed as the type ${where}`)];
  const others = Object.entries(schema).filter(([keyword, value]) => !keywords.has(keyword) && !isZero(value));
  return others.length === 0 ? [] : [invalidWhole(path, `only [${allowed.join(" ")}] fields are allowed ${where}`)];
}

/** Reports whether a value is the one that a field of Go has without one. */
function isZero(value: unknown): boolean {
  return value === false || value === "" || value === null || value === undefined;
}

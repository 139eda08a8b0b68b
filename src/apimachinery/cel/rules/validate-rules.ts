import { equalJson } from "../../equal.ts";
import { fieldOf, oldItems } from "../../schema/correlate.ts";
import { duplicate, forbidden, invalid, joinField, required, type FieldError } from "../../field-error.ts";
import type { JsonSchema, ValidationRule } from "../../json-schema.ts";
import { scopeOf } from "../compile-rule.ts";
import { BudgetError, RunBudget } from "../evaluate/run-budget.ts";
import { CostLimitError } from "../evaluate/comprehend.ts";
import { CelError } from "../values/issue.ts";
import { compileRules, type CompiledNode, type CompiledRule, prepareRules } from "./rule-tree.ts";
import { valueOfJson } from "./schema-value.ts";
import { CelOptional, type CelValue } from "../values/values.ts";
import { validateValue } from "../../schema/validate-value.ts";
import { childrenWithDefaults } from "../../schema/default-errors.ts";
import type { TurnBudget } from "../../turn-budget.ts";
import { isEmbedded } from "./schema-type.ts";

interface RuleFindings {
  readonly errors: readonly FieldError[];
  /** Broken rules of unchanged parts, which were broken before. */
  readonly warnings: readonly FieldError[];
}

interface RuleOptions {
  /** The field of the value; empty for a whole object. */
  readonly path?: string;
  /** The previous value, on update. */
  readonly old?: unknown;
  /** True if the value is a whole object with kind and metadata. */
  readonly isResource?: boolean;
}

/** Evaluates all `x-kubernetes-validations` of a schema for a value that is valid otherwise. */
export function validateRules(schema: JsonSchema, value: unknown, options: RuleOptions = {}): RuleFindings {
  const { path = "", old, isResource = true } = options;
  const findings: Findings = { errors: [], warnings: [], budget: new RunBudget(), isOver: false };
  const root = compileRules(schema, isResource);
  if (root) visit(root, { value, old, path, isUnchanged: false }, findings);
  return findings;
}

interface Place {
  readonly value: unknown;
  readonly old: unknown;
  readonly path: string;
  /** True if a parent is unchanged. */
  readonly isUnchanged: boolean;
}

interface Findings {
  readonly errors: FieldError[];
  readonly warnings: FieldError[];
  readonly budget: RunBudget;
  /** True after a rule that cost too much: no more rules run. */
  isOver: boolean;
}

function visit(node: CompiledNode, at: Place, findings: Findings): void {
  const { value, old, path } = at;
  if (value === null || value === undefined || findings.isOver) return;
  const isUnchanged = at.isUnchanged || (old !== undefined && equalJson(value, old));
  if (node.rules.length > 0) runRules(node, { ...at, isUnchanged }, findings);
  for (const branch of node.branches) visit(branch, at, findings);
  if (Array.isArray(value)) {
    const { items } = node;
    if (!items) return;
    const oldOf = oldItems(node.schema, old);
    value.forEach((item, index) =>
      visit(items, { value: item, old: oldOf(item), path: `${path}[${index}]`, isUnchanged }, findings),
    );
  } else if (typeof value === "object") {
    for (const [name, child] of Object.entries(value)) {
      const next = { value: child as unknown, old: fieldOf(old, name), isUnchanged };
      const property = node.properties.get(name);
      if (property) visit(property, { ...next, path: joinField(path, name) }, findings);
      else if (node.additional) visit(node.additional, { ...next, path: `${path}[${name}]` }, findings);
    }
  }
}

function runRules(node: CompiledNode, at: Place, findings: Findings): void {
  const toValue = (json: unknown): CelValue => valueOfJson(json, node.schema, node.isResource);
  const isNew = at.old === undefined || at.old === null;
  let self: CelValue | undefined;
  let oldSelf: CelValue | undefined;
  for (const lazy of node.rules) {
    if (findings.isOver) return;
    const rule = lazy.get();
    if ("problem" in rule) {
      findings.errors.push(invalid(at.path || wholeObject, node.schema.type ?? "", rule.problem));
      continue;
    }
    const isOptional = rule.source.optionalOldSelf === true;
    if (rule.usesOldSelf && isNew && !isOptional) continue;
    try {
      self ??= toValue(at.value);
      const readsOld = rule.usesOldSelf || rule.message?.variables.has("oldSelf");
      if (readsOld && !isNew) oldSelf ??= toValue(at.old);
      const scope = scopeOf({ self, oldSelf: isOptional ? new CelOptional(oldSelf) : (oldSelf ?? null) });
      if (findings.budget.run(rule.program.evaluate, scope) === true) continue;
      const found = at.isUnchanged && !rule.usesOldSelf ? findings.warnings : findings.errors;
      found.push(broken(rule, scope, { ...at, schema: node.schema }, findings));
    } catch (error) {
      if (!isRunError(error)) throw error;
      findings.isOver = !(error instanceof CelError);
      findings.errors.push(invalid(at.path || wholeObject, node.schema.type ?? "", failureText(error, rule.source)));
    }
  }
}

/** Go's text for a path without fields. */
const wholeObject = "<nil>";

function broken(
  rule: CompiledRule,
  scope: ReturnType<typeof scopeOf>,
  { value, path, schema }: Place & { readonly schema: JsonSchema },
  findings: Findings,
): FieldError {
  const field = `${path}${rule.fieldPath}`.replace(/^\./, "") || wholeObject;
  const computed = computedMessage(rule, scope, findings);
  if (computed !== undefined && findings.isOver) return invalid(field, schema.type ?? "", computed);
  // The server omits values that can be large.
  const isLarge = schema.type === "object" || schema.type === "array";
  const detail = computed ?? (rule.source.message?.trim() || `failed rule: ${rule.source.rule.trim()}`);
  switch (rule.source.reason) {
    case "FieldValueForbidden":
      return forbidden(field, detail);
    case "FieldValueRequired":
      return required(field, detail);
    case "FieldValueDuplicate":
      return isLarge ? { reason: "FieldValueDuplicate", field, message: "Duplicate value" } : duplicate(field, value);
    case "FieldValueInvalid":
    case undefined:
      return isLarge
        ? { reason: "FieldValueInvalid", field, message: `Invalid value: ${detail}` }
        : invalid(field, value, detail);
    default:
      return rule.source.reason satisfies never;
  }
}

const longestMessage = 5 * 1024;

/**
 * Evaluates messageExpression; returns `undefined` if it fails or is empty, in which case the plain message applies. If
 * it costs too much, no more rules run, and the result says so.
 */
function computedMessage(
  rule: CompiledRule,
  scope: ReturnType<typeof scopeOf>,
  findings: Findings,
): string | undefined {
  if (!rule.message) return undefined;
  try {
    const message = findings.budget.run(rule.message.evaluate, scope);
    const text = typeof message === "string" ? message.trim() : "";
    return text === "" || text.includes("\n") || Buffer.byteLength(text) > longestMessage ? undefined : text;
  } catch (error) {
    if (!isRunError(error)) throw error;
    if (error instanceof CelError) return undefined;
    findings.isOver = true;
    return error instanceof BudgetError
      ? "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run"
      : `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(rule.source.messageExpression)}`;
  }
}

type RunError = CelError | CostLimitError | BudgetError;

function isRunError(error: unknown): error is RunError {
  return error instanceof CelError || error instanceof CostLimitError || error instanceof BudgetError;
}

function failureText(error: RunError, { message, rule }: ValidationRule): string {
  const shown = message?.trim() || rule.trim();
  if (error instanceof BudgetError) return error.message;
  if (error instanceof CostLimitError)
    return `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${shown}`;
  return error.message.startsWith("no such overload")
    ? `'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${shown}`
    : `${error.message} evaluating rule: ${shown}`;
}

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

import { equalJson } from "../../equal.ts";
import { fieldOf, oldItems } from "../../schema/correlate.ts";
import { duplicate, forbidden, invalid, joinField, required, type FieldError } from "../../field-error.ts";
import type { JsonSchema, ValidationRule } from "../../json-schema.ts";
import { scopeOf } from "../compile-rule.ts";
import { CostLimitError } from "../evaluate/cost-meter.ts";
import { BudgetError, RunBudget } from "../evaluate/run-budget.ts";
import { CelError } from "../values/issue.ts";
import { compileRules, type CompiledNode, type CompiledRule } from "./rule-tree.ts";
import { valueOfJson } from "./schema-value.ts";
import { CelOptional, type CelValue } from "../values/values.ts";

export interface RuleFindings {
  readonly errors: readonly FieldError[];
  /** Broken rules of unchanged parts, which were broken before. */
  readonly warnings: readonly FieldError[];
}

export interface RuleOptions {
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

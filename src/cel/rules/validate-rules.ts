import { equalJson } from "../../apimachinery/equal.ts";
import { oldField, oldItems } from "../../apimachinery/schema/correlate.ts";
import {
  duplicate,
  forbidden,
  invalid,
  joinField,
  required,
  type FieldError,
} from "../../apimachinery/schema/field-error.ts";
import type { JsonSchema, ValidationRule } from "../../apimachinery/json-schema.ts";
import { scopeOf } from "../compile-rule.ts";
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
  const findings = { errors: [] as FieldError[], warnings: [] as FieldError[] };
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
}

function visit(node: CompiledNode, at: Place, findings: Findings): void {
  const { value, old, path } = at;
  if (value === null || value === undefined) return;
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
      const next = { value: child as unknown, old: oldField(old, name), isUnchanged };
      const property = node.properties.get(name);
      if (property) visit(property, { ...next, path: joinField(path, name) }, findings);
      else if (node.additional) visit(node.additional, { ...next, path: `${path}[${name}]` }, findings);
    }
  }
}

function runRules(node: CompiledNode, at: Place, findings: Findings): void {
  const toValue = (json: unknown): CelValue => valueOfJson(json, node.schema, node.isResource);
  const self = toValue(at.value);
  const oldSelf = at.old === undefined || at.old === null ? undefined : toValue(at.old);
  for (const rule of node.rules) {
    const isOptional = rule.source.optionalOldSelf === true;
    if (rule.usesOldSelf && oldSelf === undefined && !isOptional) continue;
    const scope = scopeOf({ self, oldSelf: isOptional ? new CelOptional(oldSelf) : (oldSelf ?? null) });
    const report = (error: FieldError): void => {
      (at.isUnchanged && !rule.usesOldSelf ? findings.warnings : findings.errors).push(error);
    };
    try {
      if (rule.program.evaluate(scope) !== true) report(broken(rule, scope, node.schema, at));
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      findings.errors.push(invalid(at.path || wholeObject, node.schema.type ?? "", failureText(error, rule.source)));
    }
  }
}

/** Go's text for a path without fields. */
const wholeObject = "<nil>";

function broken(rule: CompiledRule, scope: ReturnType<typeof scopeOf>, schema: JsonSchema, at: Place): FieldError {
  const field = `${at.path}${rule.fieldPath}`.replace(/^\./, "") || wholeObject;
  // The server omits values that can be large.
  const isLarge = schema.type === "object" || schema.type === "array";
  const detail =
    computedMessage(rule, scope) ?? (rule.source.message?.trim() || `failed rule: ${rule.source.rule.trim()}`);
  switch (rule.source.reason) {
    case "FieldValueForbidden":
      return forbidden(field, detail);
    case "FieldValueRequired":
      return required(field, detail);
    case "FieldValueDuplicate":
      return isLarge
        ? { reason: "FieldValueDuplicate", field, message: "Duplicate value" }
        : duplicate(field, at.value);
    case "FieldValueInvalid":
    case undefined:
      return isLarge
        ? { reason: "FieldValueInvalid", field, message: `Invalid value: ${detail}` }
        : invalid(field, at.value, detail);
    default:
      return rule.source.reason satisfies never;
  }
}

const longestMessage = 5 * 1024;

/**
 * Evaluates messageExpression; returns `undefined` if it fails or is empty, in which case the plain message applies.
 */
function computedMessage(rule: CompiledRule, scope: ReturnType<typeof scopeOf>): string | undefined {
  if (!rule.message) return undefined;
  try {
    const message = rule.message.evaluate(scope);
    const text = typeof message === "string" ? message.trim() : "";
    return text === "" || text.includes("\n") || Buffer.byteLength(text) > longestMessage ? undefined : text;
  } catch (error) {
    if (error instanceof CelError) return undefined;
    throw error;
  }
}

function failureText(error: CelError, { message, rule }: ValidationRule): string {
  const shown = message?.trim() || rule.trim();
  return error.message.startsWith("no such overload")
    ? `'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${shown}`
    : `${error.message} evaluating rule: ${shown}`;
}

import { equalJson } from "../../apimachinery/equal.ts";
import type { JsonSchema, ValidationRule } from "../../apimachinery/json-schema.ts";
import { joinCases } from "../markers/union-conditions.ts";
import { literalsIn } from "../types/join-branches.ts";
import type { LiteralValue } from "../types/literals.ts";
import { objectUnion } from "../types/object-union.ts";
import { readCountRule, type Branch } from "./read-count-rule.ts";
import { factOf, notSet, type RuleFact, type State } from "./read-union-rule.ts";

/** A union as its branches. */
export interface ReadUnion {
  readonly branches: readonly Branch[];
  /** The rules that are not those of the union. */
  readonly rules: readonly ValidationRule[];
}

/**
 * Reads the rules of an object that tsop writes for a union, or controller-gen for its OneOf markers. The result is a
 * union only if the generator writes the same schema for it.
 */
export function readUnion(schema: JsonSchema): ReadUnion | undefined {
  const { properties, required: _required, description: _description, ...rest } = schema;
  const { "x-kubernetes-validations": rules, type: _type, ...others } = rest;
  if (!properties || !rules || Object.keys(others).length > 0) return undefined;
  const counted = readCountRule(schema, rules);
  if (counted) return checked(counted.branches, schema, counted.rules);
  for (const name of Object.keys(properties)) {
    const branches = discriminatedBy(name, schema, rules);
    const union = branches && checked(branches, schema, rules);
    if (union) return union;
  }
  return undefined;
}

/** Compares what the generator writes for the branches with what was read. */
function checked(
  branches: readonly Branch[],
  schema: JsonSchema,
  rules: readonly ValidationRule[],
): ReadUnion | undefined {
  let isRefused = false;
  const again = objectUnion(
    branches.map((branch) => branch.schema),
    () => (isRefused = true),
  );
  const { "x-kubernetes-validations": written = [] } = again;
  if (isRefused || branches.length < 2 || !equalJson(withoutRules(again), withoutRules(schema))) return undefined;
  if (!written.every((rule) => rules.some((one) => equalJson(one, rule)))) return undefined;
  return { branches, rules: rules.filter((rule) => !written.some((one) => equalJson(one, rule))) };
}

function withoutRules({ "x-kubernetes-validations": _rules, description: _text, ...schema }: JsonSchema): JsonSchema {
  return { ...schema, type: "object", required: schema.required?.toSorted() ?? [] };
}

function discriminatedBy(name: string, schema: JsonSchema, rules: readonly ValidationRule[]): Branch[] | undefined {
  const { properties = {}, required = [] } = schema;
  const discriminator = properties[name] ?? {};
  const values = literalsIn(discriminator);
  if (!values || discriminator.nullable || discriminator["x-kubernetes-int-or-string"]) return undefined;
  const states: State[] = [...values, ...(required.includes(name) ? [] : [notSet])];
  const facts = rules.flatMap((rule) => factOf(rule, name, states) ?? []);
  if (facts.length === 0) return undefined;
  const order = [...new Set([name, ...facts.map((fact) => fact.property), ...Object.keys(properties)])];
  const branches = states.map((state) => ({
    states: [state],
    schema: branchOf(state, order, { schema, name, facts }),
  }));
  return joined(branches).map((branch) => ({
    name: branch.states.map((state) => wordOf(state, name)).join("-"),
    schema: withCase(branch.schema, name, branch.states, { discriminator, order }),
    never: branch.states.every((state) => state === notSet) ? [name] : [],
  }));
}

function wordOf(state: State, name: string): string {
  return typeof state === "string" && !/^\d/.test(state) ? state : `${name}-${state}`;
}

interface Part {
  readonly states: readonly State[];
  readonly schema: JsonSchema;
}

/** Joins the values of a discriminator that have the same branch. */
function joined(parts: readonly Part[]): Part[] {
  const found: Part[] = [];
  for (const part of parts) {
    const same = found.findIndex(({ schema }) => equalJson(schema, part.schema));
    if (same < 0) found.push(part);
    else found[same] = { ...part, states: [...(found[same]?.states ?? []), ...part.states] };
  }
  return found;
}

interface Read {
  readonly schema: JsonSchema;
  readonly name: string;
  readonly facts: readonly RuleFact[];
}

/** Returns what the rules say about an object whose discriminator has this value, without the discriminator. */
function branchOf(state: State, order: readonly string[], { schema, name, facts }: Read): JsonSchema {
  const applying = facts.filter(({ states }) => states.includes(state));
  const has = (is: RuleFact["is"], property: string): boolean =>
    applying.some((fact) => fact.is === is && fact.property === property);
  const kept = order.filter((property) => property !== name && !has("forbidden", property));
  const properties = kept.map((property) => {
    const limit = applying.find((fact) => fact.is === "limited" && fact.property === property);
    const own = schema.properties?.[property] ?? {};
    return [property, limit?.values ? { ...own, enum: [...limit.values] } : own] as const;
  });
  const required = kept.filter((property) => schema.required?.includes(property) || has("required", property));
  return { type: "object", properties: Object.fromEntries(properties), required };
}

function withCase(
  { properties = {}, required = [] }: JsonSchema,
  name: string,
  states: readonly State[],
  { discriminator, order }: { discriminator: JsonSchema; order: readonly string[] },
): JsonSchema {
  const values = states.filter((state): state is LiteralValue => state !== notSet);
  const one = joinCases([{ values, absent: states.includes(notSet) }]);
  const { default: fallback, ...literal } = discriminator;
  const own: JsonSchema = {
    ...literal,
    enum: [...one.values],
    ...(values.includes(fallback as LiteralValue) ? { default: fallback } : {}),
  };
  const all = values.length > 0 ? { [name]: own, ...properties } : properties;
  const sorted = order.flatMap((key) => (Object.hasOwn(all, key) ? [[key, all[key] ?? {}] as const] : []));
  const needed = one.absent || values.length === 0 ? required : [...required, name];
  return {
    type: "object",
    properties: Object.fromEntries(sorted),
    ...(needed.length > 0 ? { required: needed.toSorted() } : {}),
  };
}

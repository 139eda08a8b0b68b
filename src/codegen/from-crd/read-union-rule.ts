import type { ValidationRule } from "../../apimachinery/json-schema.ts";
import type { LiteralValue } from "../types/literals.ts";
import { access } from "../markers/union-conditions.ts";

/** The state of a discriminator that is absent. */
export const notSet = "\0not set";

/** A value of a discriminator, or `notSet`. */
export type State = LiteralValue;

/** What a rule says about a property if the discriminator has one of these states. */
export interface RuleFact {
  readonly is: "required" | "forbidden" | "limited";
  readonly property: string;
  readonly states: readonly State[];
  readonly values?: readonly LiteralValue[];
}

/** Reads a rule as tsop writes it for a union; `undefined` for other rules. */
export function factOf(rule: ValidationRule, discriminator: string, states: readonly State[]): RuleFact | undefined {
  const property = /^(?:\.([^.[\]']+)|\['((?:[^'\\]|\\.)*)'\])$/.exec(rule.fieldPath ?? "");
  const name = property?.[1] ?? property?.[2]?.replace(/\\(.)/g, "$1");
  if (name === undefined) return undefined;
  const split = splitRule(rule.rule, access([name]));
  const passing = split && passingStates(split.condition, access([discriminator]), states);
  if (!split || !passing) return undefined;
  const { is, values } = split;
  const affected = states.filter((state) => !passing.includes(state));
  return { is, property: name, states: affected, ...(values ? { values } : {}) };
}

interface Split extends Pick<RuleFact, "is" | "values"> {
  readonly condition: string;
}

function splitRule(rule: string, field: string): Split | undefined {
  const before = (end: string): string | undefined => (rule.endsWith(end) ? rule.slice(0, -end.length) : undefined);
  const forbidden = before(` || !has(${field})`);
  if (forbidden !== undefined) return { is: "forbidden", condition: forbidden };
  const required = before(` || has(${field})`);
  if (required !== undefined) return { is: "required", condition: required };
  const at = Math.max(
    rule.lastIndexOf(` || ${field} `),
    rule.lastIndexOf(` || ${field}`),
    rule.lastIndexOf(` || !${field}`),
  );
  const values = at < 0 ? undefined : equalValues(rule.slice(at + " || ".length), field);
  if (!values) return undefined;
  const condition = rule.slice(0, at);
  const absence = ` || !has(${field})`;
  return {
    is: "limited",
    values,
    condition: condition.endsWith(absence) ? condition.slice(0, -absence.length) : condition,
  };
}

/** Returns the states in which a condition on the discriminator is true. */
function passingStates(condition: string, field: string, states: readonly State[]): State[] | undefined {
  const present = states.filter((state) => state !== notSet);
  const absent = states.filter((state) => state === notSet);
  if (condition === `has(${field})`) return present;
  if (condition === `!has(${field})`) return absent;
  const orAbsent = `!has(${field}) || `;
  if (condition.startsWith(orAbsent)) {
    const rest = passingStates(condition.slice(orAbsent.length), field, present);
    return rest && [...absent, ...rest];
  }
  const andPresent = `(has(${field}) && `;
  if (condition.startsWith(andPresent) && condition.endsWith(")"))
    return passingStates(condition.slice(andPresent.length, -1), field, present);
  const values = equalValues(condition, field);
  if (values) return present.filter((state) => values.includes(state));
  const others = otherValues(condition, field);
  return others && present.filter((state) => !others.includes(state));
}

/** Reads `field == 'a'`, `field in ['a', 'b']`, `field` and `!field`. */
function equalValues(text: string, field: string): LiteralValue[] | undefined {
  if (text === field) return [true];
  if (text === `!${field}`) return [false];
  if (text.startsWith(`${field} == `)) return literals(text.slice(`${field} == `.length));
  const list = `${field} in [`;
  return text.startsWith(list) && text.endsWith("]") ? literals(text.slice(list.length, -1)) : undefined;
}

function otherValues(text: string, field: string): LiteralValue[] | undefined {
  if (text.startsWith(`${field} != `)) return literals(text.slice(`${field} != `.length));
  return text.startsWith(`!(${field} in [`) && text.endsWith(")") ? equalValues(text.slice(2, -1), field) : undefined;
}

/** Reads a list of CEL literals; `undefined` if there is anything else. */
function literals(text: string): LiteralValue[] | undefined {
  const parts = [...text.matchAll(/'((?:[^'\\]|\\.)*)'|-?\d+|true|false/g)];
  if (parts.map(([part]) => part).join(", ") !== text) return undefined;
  return parts.map(([part, inner]) =>
    inner === undefined ? (JSON.parse(part) as LiteralValue) : (JSON.parse(`"${asJson(inner)}"`) as string),
  );
}

function asJson(inner: string): string {
  return inner.replaceAll("\\'", "'").replaceAll('"', '\\"');
}

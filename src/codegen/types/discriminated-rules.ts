import { equalJson } from "../../apimachinery/equal.ts";
import type { JsonSchema, ValidationRule } from "../../apimachinery/json-schema.ts";
import { originOf, recordOrigin } from "../source/rule-origins.ts";
import type { Fact, Refuse } from "./join-branches.ts";
import type { LiteralValue } from "./literals.ts";
import {
  access,
  caseWords,
  isAmong,
  isCase,
  isOtherCase,
  joinCases,
  orWords,
  valueWord,
  type Case,
  type Discriminator,
} from "../markers/union-conditions.ts";

/** A union whose branches differ in the value of one property. */
export interface Discriminated {
  readonly discriminator: Discriminator;
  /** The case of each branch. */
  readonly cases: readonly Case[];
  readonly branches: readonly JsonSchema[];
}

/** Writes the rules for what each branch requires, forbids and limits, and its own rules, which apply only to it. */
export function discriminatedRules(facts: readonly Fact[], union: Discriminated): ValidationRule[] {
  const rules = facts.filter(({ path }) => path.length > 1 || path[0] !== union.discriminator.name);
  return [...rules.flatMap((fact) => rulesOf(fact, union)), ...ownRules(union)];
}

function rulesOf(fact: Fact, union: Discriminated): ValidationRule[] {
  return [...requiredRule(fact, union), ...forbiddenRule(fact, union), ...valueRules(fact, union)];
}

function requiredRule({ path, required, optionalParents }: Fact, union: Discriminated): ValidationRule[] {
  if (required.length === 0) return [];
  const of = caseOf(required, union);
  return [
    {
      rule: anyOf([...absences(optionalParents), isOtherCase(union.discriminator, of), `has(${access(path)})`]),
      message: `${path.join(".")} is required when ${caseWords(union.discriminator, of)}`,
      reason: "FieldValueRequired",
      fieldPath: fieldPath(path),
    },
  ];
}

/** Names the cases that are fewer: those with the field, or those without. */
function forbiddenRule({ path, forbidden, allowed, optionalParents }: Fact, union: Discriminated): ValidationRule[] {
  if (forbidden.length === 0) return [];
  const { discriminator } = union;
  const isMost = forbidden.length > allowed.length;
  const of = caseOf(isMost ? allowed : forbidden, union);
  const condition = isMost ? isCase(discriminator, of) : isOtherCase(discriminator, of);
  const words = isMost ? "is allowed only when" : "is not allowed when";
  return [
    {
      rule: anyOf([...absences(optionalParents), condition, `!has(${access(path)})`]),
      message: `${path.join(".")} ${words} ${caseWords(discriminator, of)}`,
      reason: "FieldValueForbidden",
      fieldPath: fieldPath(path),
    },
  ];
}

function valueRules(
  { path, values, required, forbidden, allowed, optionalParents }: Fact,
  union: Discriminated,
): ValidationRule[] {
  const groups: { indices: number[]; list: readonly LiteralValue[] }[] = [];
  for (const [index, list] of values) {
    const same = groups.find((group) => equalJson(group.list, list));
    if (same) same.indices.push(index);
    else groups.push({ indices: [index], list });
  }
  const mayBeAbsent = forbidden.length > 0 || required.length > 0 ? true : !isAlwaysThere(path, allowed, union);
  return groups.map(({ indices, list }) => {
    const of = caseOf(indices, union);
    const absence = mayBeAbsent ? [`!has(${access(path)})`] : [];
    return {
      rule: anyOf([
        ...absences(optionalParents),
        isOtherCase(union.discriminator, of),
        ...absence,
        isAmong(access(path), list),
      ]),
      message: `${path.join(".")} must be ${orWords(list.map(valueWord))} when ${caseWords(union.discriminator, of)}`,
      fieldPath: fieldPath(path),
    };
  });
}

function isAlwaysThere(path: readonly string[], allowed: readonly number[], { branches }: Discriminated): boolean {
  return allowed.every((index) => {
    let at: JsonSchema | undefined = branches[index];
    for (const name of path.slice(0, -1)) at = at?.properties?.[name];
    return at?.required?.includes(path.at(-1) ?? "") === true;
  });
}

function caseOf(indices: readonly number[], { cases }: Discriminated): Case {
  return joinCases(indices.flatMap((index) => cases[index] ?? []));
}

function absences(parents: readonly (readonly string[])[]): string[] {
  return parents.map((path) => `!has(${access(path)})`);
}

function anyOf(conditions: readonly string[]): string {
  return conditions.join(" || ");
}

function fieldPath(path: readonly string[]): string {
  return path.map((name) => (/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name.replaceAll("'", "\\'")}']`)).join("");
}

/** Writes the rules of the branches: those of all branches as they are, others with the case in which they apply. */
function ownRules(union: Discriminated): ValidationRule[] {
  return ruleGroups(union.branches).map(({ rule, indices }) => {
    if (indices.length === union.branches.length) return rule;
    const of = caseOf(indices, union);
    return guarded(rule, (self) => isOtherCase(union.discriminator, of, self));
  });
}

/** Writes the rules of branches that a key distinguishes: a field that a branch requires and all others forbid. */
export function ownRulesByKey(
  branches: readonly JsonSchema[],
  keys: readonly (string | undefined)[] | undefined,
  refuse: Refuse,
): ValidationRule[] {
  return ruleGroups(branches).map(({ rule, indices }) => {
    if (indices.length === branches.length) return rule;
    const names = indices.map((index) => keys?.[index]);
    if (!names.every((name) => name !== undefined)) {
      const reason = "a rule of one branch needs a property that distinguishes the branches of the union";
      refuse(
        [],
        reason,
        'give each branch a property with a value of its own, such as type: "a", or move the rule to the type of a field',
      );
      return rule;
    }
    return guarded(rule, (self) => names.map((name) => `!has(${access([name], self)})`).join(" && "));
  });
}

interface RuleGroup {
  readonly rule: ValidationRule;
  readonly indices: number[];
}

function ruleGroups(branches: readonly JsonSchema[]): RuleGroup[] {
  const groups: RuleGroup[] = [];
  for (const [index, { "x-kubernetes-validations": rules = [] }] of branches.entries()) {
    for (const rule of rules) {
      const same = groups.find((group) => equalJson(group.rule, rule));
      if (same) same.indices.push(index);
      else groups.push({ rule, indices: [index] });
    }
  }
  return groups;
}

/** A rule on a change applies if the object was of the same branch before. */
function guarded(rule: ValidationRule, otherCase: (self: string) => string): ValidationRule {
  const isTransition = /\boldSelf\b/.test(rule.rule) && !rule.optionalOldSelf;
  const parts = [otherCase("self"), ...(isTransition ? [otherCase("oldSelf")] : []), `(${rule.rule})`];
  const changed = { ...rule, rule: anyOf(parts) };
  const origin = originOf(rule);
  if (origin) recordOrigin({ "x-kubernetes-validations": [changed] }, origin);
  return changed;
}

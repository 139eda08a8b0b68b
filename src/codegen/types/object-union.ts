import { equalJson } from "../../apimachinery/equal.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { joinBranches, literalsIn, type Joined, type Refuse } from "./join-branches.ts";
import { joinCases, isNameable, type Case, type Discriminator } from "../markers/union-conditions.ts";
import { discriminatedRules, ownRulesByKey, type Discriminated } from "./discriminated-rules.ts";
import { keysOfBranches, shapeRules } from "./shape-rules.ts";

/**
 * Joins the object types of a union into one structural schema: an object with the properties of all branches, which
 * requires what every branch requires, and rules for what a branch requires or does not have. A property that a branch
 * does not declare is not allowed in it.
 */
export function objectUnion(
  branches: readonly JsonSchema[],
  refuse: Refuse,
  always: readonly string[] = requiredInAll(branches),
): JsonSchema {
  const distinct = branches.filter((branch, index) => !branches.slice(0, index).some((one) => equalJson(one, branch)));
  const [first = {}] = distinct;
  if (distinct.length === 1) return first;
  const found = discriminatorOf(distinct, 0, always) ?? discriminatorOf(distinct, 1, always);
  if (!found) return shapeUnion(distinct, refuse);
  const groups = found.groups.map((indices) =>
    objectUnion(
      indices.map((index) => distinct[index] ?? {}),
      refuse,
      always,
    ),
  );
  const joined = joinBranches(groups, refuse);
  const discriminated: Discriminated = { ...found, branches: groups };
  return withRules(joined, discriminatedRules(joined.facts, discriminated));
}

/** Returns the properties that a server finds in each object before it evaluates rules. */
function requiredInAll(branches: readonly JsonSchema[]): string[] {
  const [first] = branches;
  return (first?.required ?? []).filter((name) => branches.every(({ required }) => required?.includes(name)));
}

/** A discriminator with the branches that have a case in common. */
interface Found {
  readonly discriminator: Discriminator;
  readonly groups: readonly (readonly number[])[];
  /** The case of each group. */
  readonly cases: readonly Case[];
}

/** Finds the property whose literals separate the branches into the most groups; `lacking` branches may be without it. */
function discriminatorOf(
  branches: readonly JsonSchema[],
  lacking: number,
  always: readonly string[],
): Found | undefined {
  const names = branches.flatMap(({ properties }) => Object.keys(properties ?? {})).filter(isNameable);
  let best: Found | undefined;
  for (const name of new Set(names)) {
    const found = names.filter((one) => one === name).length >= branches.length - lacking && separate(name, branches);
    if (!found || found.groups.length <= (best?.groups.length ?? 1)) continue;
    const { discriminator } = found;
    best = { ...found, discriminator: { ...discriminator, required: always.includes(name) } };
  }
  return best;
}

function separate(name: string, branches: readonly JsonSchema[]): Found | undefined {
  const cases = branches.map((branch) => caseOf(name, branch));
  if (!cases.every((one) => one !== undefined)) return undefined;
  const kinds = new Set(cases.flatMap(({ values }) => values.map((value) => typeof value)));
  if (kinds.size !== 1) return undefined;
  const groups: { indices: number[]; all: Case }[] = [];
  for (const [index, one] of cases.entries()) {
    const meeting = groups.filter(({ all }) => overlap(all, one));
    const merged = {
      indices: [...meeting.flatMap(({ indices }) => indices), index],
      all: joinCases([...meeting.map(({ all }) => all), one]),
    };
    const at = meeting[0] ? groups.indexOf(meeting[0]) : groups.length;
    groups.splice(at, 0, merged);
    for (const group of meeting) groups.splice(groups.indexOf(group), 1);
  }
  return {
    discriminator: { name, required: false, size: joinCases(cases).values.length },
    groups: groups.map(({ indices }) => indices),
    cases: groups.map(({ all }) => all),
  };
}

function caseOf(name: string, { properties, required }: JsonSchema): Case | undefined {
  const schema = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!schema) return { values: [], absent: true };
  if (schema.nullable || schema.type === "number" || schema["x-kubernetes-int-or-string"]) return undefined;
  const values = literalsIn(schema);
  return values && { values, absent: !required?.includes(name) };
}

function overlap(a: Case, b: Case): boolean {
  return (a.absent && b.absent) || a.values.some((value) => b.values.includes(value));
}

function shapeUnion(branches: readonly JsonSchema[], refuse: Refuse): JsonSchema {
  const joined = joinBranches(branches, refuse);
  return withRules(joined, [
    ...shapeRules(joined.facts, branches, refuse),
    ...ownRulesByKey(branches, keysOfBranches(branches), refuse),
  ]);
}

function withRules(
  { schema }: Joined,
  rules: readonly NonNullable<JsonSchema["x-kubernetes-validations"]>[number][],
): JsonSchema {
  return rules.length > 0 ? { ...schema, "x-kubernetes-validations": [...rules] } : schema;
}

import type { JsonSchema, ValidationRule } from "../../apimachinery/json-schema.ts";
import { countRules } from "../markers/one-of.ts";
import type { Fact, Refuse } from "./join-branches.ts";
import { access, isAmong, orWords, valueWord } from "../markers/union-conditions.ts";

/** Writes the rule for a union without a discriminator: by the number of fields that are set, or branch by branch. */
export function shapeRules(facts: readonly Fact[], branches: readonly JsonSchema[], refuse: Refuse): ValidationRule[] {
  const varied = facts.filter(
    ({ required, forbidden, values }) => required.length + forbidden.length + values.size > 0,
  );
  const nested = varied.find(({ path }) => path.length > 1);
  if (nested) {
    const name = nested.path[0] ?? "";
    const reason = `${name} differs between the branches of the union, and no property distinguishes them`;
    refuse([name], reason, 'give each branch a property with a value of its own, such as type: "a"');
    return [];
  }
  // One field that some branches require and others forbid is optional.
  if (varied.length === 1 && varied[0]?.values.size === 0) return [];
  const count = countOf(varied, branches.length);
  if (count) return [countRules[count](varied.map(({ path }) => path[0] ?? ""))];
  const matches = branches.map((_, index) => conditionsOf(index, varied, branches));
  // A branch without a condition allows what all the others allow.
  if (matches.some((conditions) => conditions.length === 0)) return [];
  const rule = matches.map((conditions) => (conditions.length > 1 ? `(${conditions.join(" && ")})` : conditions[0]));
  return [{ rule: rule.join(" || "), message: `must have ${branchWords(branches, varied).join(", or ")}` }];
}

/** Returns the field of each branch that it requires and all others forbid; `undefined` if not every branch has one. */
export function keysOfBranches(branches: readonly JsonSchema[]): readonly string[] | undefined {
  const keys = branches.map((branch, index) =>
    branch.required?.find((name) =>
      branches.every((other, at) => at === index || !Object.hasOwn(other.properties ?? {}, name)),
    ),
  );
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

/** Recognizes the unions that a count of fields expresses. */
function countOf(varied: readonly Fact[], branches: number): keyof typeof countRules | undefined {
  if (varied.length < 2 || varied.some(({ values }) => values.size > 0)) return undefined;
  const isExclusive = varied.every(({ allowed }) => allowed.length === 1);
  const fieldsOf = (index: number): Fact[] => varied.filter(({ allowed }) => allowed.includes(index));
  if (isExclusive && [...Array(branches).keys()].every((index) => fieldsOf(index).length <= 1)) {
    return varied.length === branches && varied.every(({ required }) => required.length === 1)
      ? "ExactlyOneOf"
      : "AtMostOneOf";
  }
  const required = new Set(varied.map((fact) => fact.required.join()));
  const isAnyOf = varied.every((fact) => fact.required.length === 1 && fact.forbidden.length === 0);
  return isAnyOf && required.size === varied.length && varied.length === branches ? "AtLeastOneOf" : undefined;
}

function conditionsOf(index: number, varied: readonly Fact[], branches: readonly JsonSchema[]): string[] {
  return varied.flatMap(({ path, required, forbidden, values }) => {
    const field = access(path);
    if (forbidden.includes(index)) return [`!has(${field})`];
    const list = values.get(index);
    const isRequired = branches[index]?.required?.includes(path[0] ?? "") ?? false;
    const presence = required.includes(index) ? [`has(${field})`] : [];
    if (!list) return presence;
    return isRequired ? [...presence, isAmong(field, list)] : [`(!has(${field}) || ${isAmong(field, list)})`];
  });
}

function branchWords(branches: readonly JsonSchema[], varied: readonly Fact[]): string[] {
  const parts = branches.map((_, index) => {
    const required = varied.filter((fact) => fact.required.includes(index)).map(({ path }) => path.join("."));
    const values = varied.flatMap(({ path, values }) => {
      const list = values.get(index);
      return list ? [`${path.join(".")} ${orWords(list.map(valueWord))}`] : [];
    });
    const forbidden = varied.filter((fact) => fact.forbidden.includes(index)).map(({ path }) => path.join("."));
    const without = forbidden.length > 1 ? `none of ${orWords(forbidden, "and")}` : `no ${forbidden.join("")}`;
    return { has: orWords([...required, ...values], "and"), without: forbidden.length > 0 ? without : "" };
  });
  return parts.map(({ has, without }) => {
    const isAlike = parts.filter((part) => part.has === has).length > 1;
    return has === "" || (isAlike && without) ? [has, without].filter(Boolean).join(" and ") : has;
  });
}

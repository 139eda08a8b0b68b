import type { JsonSchema, ValidationRule } from "../../apimachinery/json-schema.ts";
import { countRules } from "../markers/one-of.ts";
import { access } from "../markers/union-conditions.ts";

/** A branch of a union, with words for the name of its type. */
export interface Branch {
  readonly name: string;
  readonly schema: JsonSchema;
  /** The properties that exclude it, for the compiler. */
  readonly never: readonly string[];
}

type Count = keyof typeof countRules;

/**
 * Reads the only rule that limits how many of some fields are set, as branches. An older form of the rule is returned
 * in the form of today.
 */
export function readCountRule(
  schema: JsonSchema,
  rules: readonly ValidationRule[],
): { readonly branches: Branch[]; readonly rules: ValidationRule[] } | undefined {
  const read = rules.map((rule) => countOf(rule));
  const [found, ...more] = read.filter((one) => one !== undefined);
  if (!found || more.length > 0 || !areOptional(found.names, schema)) return undefined;
  const { count, names } = found;
  return {
    branches: names.map((name) => branchOf(name, { count, names }, schema)),
    rules: rules.map((rule, index) => (read[index] ? countRules[count](names) : rule)),
  };
}

interface Counted {
  readonly count: Count;
  readonly names: readonly string[];
}

function countOf({ rule, message = "", ...more }: ValidationRule): Counted | undefined {
  const names = / of the fields in \[(.+)\] (?:must|may) be set$/.exec(message)?.[1]?.split(" ") ?? [];
  if (Object.keys(more).length > 0 || names.length < 2) return undefined;
  return (Object.keys(countRules) as Count[])
    .map((count) => ({ count, names }))
    .find((one) => {
      const now = countRules[one.count](names);
      return message === now.message && (rule === now.rule || rule === olderRule(one));
    });
}

/** The rule of controller-gen up to 0.22. */
function olderRule({ count, names }: Counted): string {
  const list = names.map((name) => `has(${access([name])})`).join(",");
  const compared = { AtMostOneOf: "<= 1", ExactlyOneOf: "== 1", AtLeastOneOf: ">= 1" }[count];
  return `[${list}].filter(x,x==true).size() ${compared}`;
}

function areOptional(names: readonly string[], { properties = {}, required = [] }: JsonSchema): boolean {
  return names.every((name) => Object.hasOwn(properties, name) && !required.includes(name));
}

function branchOf(name: string, { count, names }: Counted, { properties = {}, required = [] }: JsonSchema): Branch {
  const others = names.filter((other) => other !== name);
  const never = count === "AtLeastOneOf" ? [] : others;
  const needed = count === "AtMostOneOf" ? required : [...required, name];
  const first = [...names, ...Object.keys(properties).filter((key) => !names.includes(key))];
  const kept = first.filter((key) => !never.includes(key)).map((key) => [key, properties[key] ?? {}] as const);
  const schema: JsonSchema = { type: "object", properties: Object.fromEntries(kept) };
  return { name, schema: needed.length > 0 ? { ...schema, required: needed.toSorted() } : schema, never };
}

import { escapeName } from "../../apimachinery/cel/rules/schema-type.ts";

/** A value that a rule compares with. */
type RuleValue = string | number | boolean;

/** The property whose value says which branch of a union an object is. */
export interface Discriminator {
  readonly name: string;
  /** True if every branch requires it. */
  readonly required: boolean;
  /** The number of its values in all branches. */
  readonly size: number;
}

/** The values of a discriminator in some branches. */
export interface Case {
  readonly values: readonly RuleValue[];
  /** True if one of the branches allows that the discriminator is absent. */
  readonly absent: boolean;
}

/** Joins the cases of several branches. */
export function joinCases(cases: readonly Case[]): Case {
  return {
    values: [...new Set(cases.flatMap(({ values }) => values))],
    absent: cases.some(({ absent }) => absent),
  };
}

/** Writes the CEL condition that an object is one of these cases. */
export function isCase({ name, required, size }: Discriminator, { values, absent }: Case, self = "self"): string {
  const field = access([name], self);
  if (required) return isAmong(field, values);
  if (values.length === 0) return `!has(${field})`;
  if (values.length === size && !absent) return `has(${field})`;
  return absent ? `!has(${field}) || ${isAmong(field, values)}` : `(has(${field}) && ${isAmong(field, values)})`;
}

/** Writes the CEL condition that an object is another case. */
export function isOtherCase({ name, required, size }: Discriminator, { values, absent }: Case, self = "self"): string {
  const field = access([name], self);
  if (required) return isNotAmong(field, values);
  if (values.length === 0) return `has(${field})`;
  if (values.length === size && !absent) return `!has(${field})`;
  return absent ? `(has(${field}) && ${isNotAmong(field, values)})` : `!has(${field}) || ${isNotAmong(field, values)}`;
}

/** Says in words which cases these are: `type is s3 or gcs`. */
export function caseWords({ name }: Discriminator, { values, absent }: Case): string {
  return `${name} is ${orWords([...values.map(valueWord), ...(absent ? ["not set"] : [])])}`;
}

/** Writes the access to a property in CEL; a rule cannot name some properties, such as `$ref`. */
export function access(path: readonly string[], self = "self"): string {
  return [self, ...path.map((name) => escapeName(name) ?? name)].join(".");
}

/** Reports whether a rule can name a property. */
export function isNameable(name: string): boolean {
  return escapeName(name) !== undefined;
}

/** Writes the condition that a field has one of these values. */
export function isAmong(field: string, values: readonly RuleValue[]): string {
  const [only] = values;
  if (values.length > 1) return `${field} in [${values.map(literal).join(", ")}]`;
  return typeof only === "boolean" ? `${only ? "" : "!"}${field}` : `${field} == ${literal(only ?? "")}`;
}

function isNotAmong(field: string, values: readonly RuleValue[]): string {
  const [only] = values;
  if (values.length > 1) return `!(${isAmong(field, values)})`;
  return typeof only === "boolean" ? isAmong(field, [!only]) : `${field} != ${literal(only ?? "")}`;
}

/** Joins words: `a`, `a or b`, `a, b or c`. */
export function orWords(words: readonly string[], last = "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

export function valueWord(value: RuleValue): string {
  return typeof value === "string" && !/^[\w.:/-]+$/.test(value) ? JSON.stringify(value) : String(value);
}

function literal(value: RuleValue): string {
  if (typeof value !== "string") return String(value);
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

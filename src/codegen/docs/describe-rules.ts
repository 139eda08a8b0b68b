import type { JsonSchema, ValidationRule } from "../../apimachinery/json-schema.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import { codeLine, escapeLine } from "./markdown.ts";

/** Describes the limits of a value in words, one phrase each, without those that `known` describes already. */
export function describeRules(schema: JsonSchema, known: JsonSchema = {}): string[] {
  const own = Object.fromEntries(
    Object.entries(schema).filter(([key, value]) => !equalJson(value, known[key as keyof JsonSchema])),
  ) as JsonSchema;
  return [
    ...values(own),
    ...range(own),
    ...size(own.minLength, own.maxLength, "character"),
    ...size(own.minItems, own.maxItems, "item"),
    ...size(own.minProperties, own.maxProperties, "entry"),
    ...each(own.pattern, (pattern) => `matches ${codeLine(pattern)}`),
    ...each(own.multipleOf, (step) => `a multiple of ${step}`),
    ...each(own.nullable, () => "may be null"),
    ...list(own, schema),
    ...each(own["x-kubernetes-map-type"] === "atomic" || undefined, () => "replaced as a whole"),
    ...combinations(own),
    ...(own["x-kubernetes-validations"] ?? []).map(rule),
  ];
}

function each<T>(value: T | undefined, phrase: (value: T) => string): string[] {
  return value === undefined ? [] : [phrase(value)];
}

function values({ enum: allowed, format }: JsonSchema): string[] {
  const phrases = each(allowed, (list) => `one of ${list.map((value) => codeLine(JSON.stringify(value))).join(", ")}`);
  return [...phrases, ...each(format && formats[format], (phrase) => phrase)];
}

const formats: Readonly<Record<string, string>> = {
  int32: "a 32-bit integer",
  int64: "a 64-bit integer",
  "date-time": "a time such as `2006-01-02T15:04:05Z`",
  byte: "base64",
};

function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string[] {
  return [
    ...each(minimum, (least) => (exclusiveMinimum ? `more than ${least}` : `at least ${least}`)),
    ...each(maximum, (most) => (exclusiveMaximum ? `less than ${most}` : `at most ${most}`)),
  ];
}

function size(least: number | undefined, most: number | undefined, unit: string): string[] {
  const count = (number: number): string => {
    const units = unit === "entry" ? "entries" : `${unit}s`;
    return `${number} ${number === 1 ? unit : units}`;
  };
  if (least !== undefined && least === most) return [`exactly ${count(least)}`];
  return [
    ...each(least || undefined, (number) => `at least ${count(number)}`),
    ...each(most, (number) => `at most ${count(number)}`),
  ];
}

function list(own: JsonSchema, { "x-kubernetes-list-map-keys": keys = [] }: JsonSchema): string[] {
  const kind = own["x-kubernetes-list-type"];
  if (kind === "map") return [`items are merged by ${keys.map((key) => codeLine(key)).join(" and ")}`];
  if (kind === "set" || own.uniqueItems) return ["items are unique"];
  return kind === "atomic" ? ["replaced as a whole"] : [];
}

/** Joins branches: each describes limits, or the fields that it requires. */
function combinations({ allOf, anyOf, oneOf, not, ...schema }: JsonSchema): string[] {
  const branch = (part: JsonSchema): string => {
    const required = (part.required ?? []).map((name) => codeLine(name)).join(" and ");
    const phrases = [...(required ? [`has ${required}`] : []), ...describeRules(part)];
    return phrases.length > 0 ? phrases.join(" and ") : codeLine(JSON.stringify(part));
  };
  // The types of an int-or-string are part of its name.
  const any = schema["x-kubernetes-int-or-string"] ? undefined : anyOf;
  return [
    ...(allOf ?? []).filter((part) => !part.anyOf?.every(({ type }) => type)).map(branch),
    ...each(any, (parts) => `any of: ${parts.map(branch).join("; ")}`),
    ...each(oneOf, (parts) => `exactly one of: ${parts.map(branch).join("; ")}`),
    ...each(not, (part) => `not: ${branch(part)}`),
  ];
}

function rule({ rule: expression, message, messageExpression, fieldPath, reason }: ValidationRule): string {
  const words = message ?? reason ?? (messageExpression ? "rule" : "");
  const at = fieldPath ? ` (reported at ${codeLine(fieldPath)})` : "";
  return `${words ? `${escapeLine(words)}: ` : ""}${codeLine(expression)}${at}`;
}

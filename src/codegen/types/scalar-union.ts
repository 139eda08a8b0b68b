import { equalJson } from "../../apimachinery/equal.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { intOrString } from "./known-types.ts";
import type { LiteralValue } from "./literals.ts";
import { patternOfAny } from "./text-patterns.ts";
import { withoutTexts } from "./merge.ts";

/**
 * Joins scalar types with literals: a type includes its literals (`"a" | string`), a number with texts is an
 * int-or-string, and different limits of one type are branches of `anyOf`. Returns `undefined` if no schema has both.
 */
export function scalarUnion(schemas: readonly JsonSchema[], literals: readonly LiteralValue[]): JsonSchema | undefined {
  const isNullable = schemas.some(({ nullable }) => nullable);
  const bare = schemas.map(({ nullable: _nullable, ...schema }) => withoutTexts(schema));
  const distinct = bare.filter((schema, index) => !bare.slice(0, index).some((one) => equalJson(one, schema)));
  const words = literals.filter((value) => typeof value === "string");
  const digits = literals.filter((value) => typeof value === "number");
  if (words.length + digits.length < literals.length) return undefined;
  const joined = joinAll(distinct, words, digits);
  return joined && isNullable ? { ...joined, nullable: true } : joined;
}

function joinAll(
  schemas: readonly JsonSchema[],
  words: readonly string[],
  digits: readonly number[],
): JsonSchema | undefined {
  const [only] = schemas;
  if (schemas.length === 1 && only?.["x-kubernetes-int-or-string"]) {
    const { anyOf: _types, pattern: _pattern, "x-kubernetes-int-or-string": _either, ...limits } = only;
    return Object.keys(limits).length > 0 && words.length + digits.length > 0 ? undefined : withWords(only, words);
  }
  const texts = schemas.filter(isText);
  const numbers = schemas.filter(isNumber);
  if (texts.length + numbers.length < schemas.length) return undefined;
  const hasTexts = texts.length + words.length > 0;
  const hasNumbers = numbers.length + digits.length > 0;
  const text =
    texts.length > 0 ? joinTexts(texts, words) : { type: "string" as const, pattern: patternOfAny(words, []) };
  const number = joinNumbers(numbers, digits);
  if (!hasTexts || !hasNumbers) return hasTexts ? text : number;
  if (!number || !text || number.anyOf) return undefined;
  const { type, format: _format, ...limits } = number;
  const { type: _type, pattern, ...rest } = text;
  if (type !== "integer" || Object.keys(rest).length > 0) return undefined;
  return { ...intOrString, ...limits, ...(pattern === undefined ? {} : { pattern }) };
}

/** Adds words to an int-or-string, which has all texts unless it has a pattern. */
function withWords(schema: JsonSchema, words: readonly string[]): JsonSchema {
  const { pattern } = schema;
  return pattern === undefined || words.length === 0 ? schema : { ...schema, pattern: patternOfAny(words, [pattern]) };
}

/** Joins the schemas of texts into one: any text, a pattern for words and patterns, or branches. */
function joinTexts(texts: readonly JsonSchema[], words: readonly string[]): JsonSchema | undefined {
  const [only = {}] = texts;
  if (texts.some(isBareText)) return { type: "string" };
  if (words.length === 0 && texts.length === 1) return only;
  const patterns = texts.map(({ type: _type, pattern, ...rest }) =>
    Object.keys(rest).length === 0 ? pattern : undefined,
  );
  if (!patterns.includes(undefined)) return { type: "string", pattern: patternOfAny(words, patterns.map(String)) };
  return branchesOf(
    { type: "string" },
    texts.map(({ type: _type, ...limits }) => limits),
    words,
  );
}

function joinNumbers(numbers: readonly JsonSchema[], digits: readonly number[]): JsonSchema | undefined {
  const [only] = numbers;
  if (!only) return undefined;
  if (numbers.some((schema) => equalJson(schema, { type: "number" }))) return { type: "number" };
  if (numbers.length === 1 && (digits.length === 0 || includesAll(only, digits))) return only;
  const { type = "integer", format } = only;
  if (numbers.some((one) => one.type !== type) || (type === "integer" && !digits.every(Number.isInteger)))
    return undefined;
  const isOneFormat = numbers.every((one) => one.format === format);
  const limits = numbers.map(({ type: _type, format: own, ...rest }) =>
    isOneFormat || own === undefined ? rest : { format: own, ...rest },
  );
  return branchesOf(isOneFormat && format !== undefined ? { type, format } : { type }, limits, digits);
}

/** Writes limits of one type as branches; a branch without limits includes all values. */
function branchesOf(
  common: JsonSchema,
  branches: readonly JsonSchema[],
  values: readonly LiteralValue[],
): JsonSchema | undefined {
  if (branches.some((branch) => Object.keys(branch).some((key) => !allowedInBranch.has(key)))) return undefined;
  if (branches.some((branch) => Object.keys(branch).length === 0)) return common;
  return { ...common, anyOf: [...branches, ...(values.length > 0 ? [{ enum: [...values] }] : [])] };
}

/** The keywords that a structural schema may have in anyOf. */
const allowedInBranch: ReadonlySet<string> = new Set(
  "enum format pattern maxLength minLength maximum minimum exclusiveMaximum exclusiveMinimum multipleOf allOf anyOf not".split(
    " ",
  ),
);

function isText({ type }: JsonSchema): boolean {
  return type === "string";
}

function isNumber({ type }: JsonSchema): boolean {
  return type === "integer" || type === "number";
}

function isBareText(schema: JsonSchema): boolean {
  return equalJson(schema, { type: "string" });
}

/** Reports whether a number type without limits includes some numbers. */
function includesAll({ type, format: _format, ...limits }: JsonSchema, digits: readonly number[]): boolean {
  return Object.keys(limits).length === 0 && (type === "number" || digits.every(Number.isInteger));
}

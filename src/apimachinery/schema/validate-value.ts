import { enumOf } from "./enum-values.ts";
import { equalJson } from "../equal.ts";
import { fieldOf, itemIdentity, oldItems } from "./correlate.ts";
import {
  cutField,
  duplicate,
  invalid,
  invalidWhole,
  joinField,
  notAmong,
  required,
  tooLong,
  tooMany,
  typeInvalid,
  type FieldError,
} from "../field-error.ts";
import { formats } from "./formats.ts";
import { goFloat, goNumber, isInt64, toInt64 } from "../go-numbers.ts";
import type { JsonSchema } from "../json-schema.ts";
import { nearestBranch } from "./nearest-branch.ts";
import { matchesPattern, patternSteps } from "./pattern.ts";
import { isFormatOf } from "./known-formats.ts";

export interface ValidateOptions {
  /** The field of the value, such as `spec`; empty for a whole object. */
  readonly path?: string;
  /** The previous value: unchanged parts are not checked again. */
  readonly old?: unknown;
}

/** The most checks of a value: one for each value in it, and one for each branch of its schema. */
const mostChecks = 400_000;
/** The steps of RE2 that take as long as a check. */
const stepsOfCheck = 50;
/** The most errors that are collected. */
const mostErrors = 1_000;

/** Returns the errors of a value against a structural schema, in the API server's words. */
export function validateValue(schema: JsonSchema, value: unknown, options: ValidateOptions = {}): FieldError[] {
  const { path = "", old } = options;
  const work: Work = { left: mostChecks };
  const errors = findErrors(schema, value, { path, old, work });
  if (work.left >= 0) return errors;
  return [invalidWhole(path || "<nil>", `the schema needs more than ${mostChecks} checks for this value`)];
}

function findErrors(schema: JsonSchema, value: unknown, at: Place): FieldError[] {
  const errors: FieldError[] = [];
  validate(schema, value, at, errors);
  return errors.length > 1 ? withoutRepetitions(errors) : errors;
}

/** The checks that may still be made; negative if they were too few. */
interface Work {
  left: number;
}

/** The branches of a schema may find the same error. */
function withoutRepetitions(errors: readonly FieldError[]): FieldError[] {
  return [
    ...new Map(errors.toReversed().map((error) => [`${error.field}: ${error.message}`, error])).values(),
  ].reverse();
}

interface Place {
  readonly path: string;
  readonly old: unknown;
  readonly work: Work;
}

function validate(schema: JsonSchema, value: unknown, at: Place, errors: FieldError[]): void {
  const { path, old, work } = at;
  if (--work.left < 0 || errors.length >= mostErrors) return;
  if (old !== undefined && equalJson(value, old)) return;
  const mistake = typeMistake(schema, value, path);
  // A value of a wrong type is still checked in every other way that fits it.
  if (mistake) errors.push(mistake);
  if (schema.enum) validateEnum(schema.enum, value, at, errors);
  if (value === null) return;
  if (typeof value === "string") validateString(schema, value, at, errors);
  else if (typeof value === "number") validateNumber(schema, value, path, errors);
  else if (Array.isArray(value)) validateList(schema, value, at, errors);
  else if (typeof value === "object") validateFields(schema, value as Record<string, unknown>, at, errors);
  validateBranches(schema, value, at, errors);
}

function validateEnum(items: readonly unknown[], value: unknown, { path, work }: Place, errors: FieldError[]): void {
  const known = enumOf(items);
  if (typeof value === "object" && value !== null) work.left -= known.structures.length;
  if (!known.has(value)) errors.push(notAmong(path, value, known.text));
}

/** Returns the error of a wrong type. The message names the format, if there is one, and the Go type of the value. */
function typeMistake(schema: JsonSchema, value: unknown, path: string): FieldError | undefined {
  const { type, format } = schema;
  if (value === null && schema.nullable) return undefined;
  const isEither = schema["x-kubernetes-int-or-string"] === true;
  if (!type && !isEither) return undefined;
  const found = typeName(value);
  if (isEither ? found === "integer" || found === "string" : found === type) return undefined;
  if (type === "number" && found === "integer") return undefined;
  const say = (name: string, given: string): FieldError =>
    typeInvalid(path, given, `${inBody(path)} must be of type ${name}: ${JSON.stringify(given)}`);
  const hasFormat = format !== undefined && isFormatOf(type ?? "", format) && value !== null;
  if (hasFormat && found !== "string" && found !== "array") {
    const given = typeof value !== "number" ? "" : found === "integer" ? "int64" : "float64";
    if (given !== format) return say(format, given);
  }
  // The server takes a list for a text with a format.
  if (hasFormat && found === "array" && type !== "integer" && type !== "number") return undefined;
  return say(isEither ? "integer,string" : (type ?? ""), found);
}

function validateString(schema: JsonSchema, text: string, { path, work }: Place, errors: FieldError[]): void {
  const length = (): number => Array.from(text).length;
  // Only the first of these is reported.
  if (schema.maxLength !== undefined && length() > schema.maxLength) errors.push(tooLong(path, schema.maxLength));
  else if (schema.minLength !== undefined && length() < schema.minLength)
    errors.push(invalid(path, text, `${inBody(path)} should be at least ${schema.minLength} chars long`));
  else if (schema.pattern !== undefined && !matchesWithin(schema.pattern, text, work))
    errors.push(invalid(path, text, `${inBody(path)} should match '${schema.pattern}'`));
  const hasFormat = schema.format === undefined ? undefined : formats[schema.format.replaceAll("-", "")];
  if (hasFormat && !hasFormat(text))
    errors.push(typeInvalid(path, text, `${inBody(path)} must be of type ${schema.format}: ${JSON.stringify(text)}`));
}

/** Reports whether a text matches, unless that takes more work than is left. */
function matchesWithin(pattern: string, text: string, work: Work): boolean {
  work.left -= patternSteps(pattern, text) / stepsOfCheck;
  return work.left < 0 || matchesPattern(pattern, text);
}

const integerLimits: Readonly<Record<string, number>> = { int32: 2 ** 31, int64: 2 ** 63 };
const largestFloat = 3.4028234663852886e38;

function validateNumber(schema: JsonSchema, value: number, path: string, errors: FieldError[]): void {
  const say = (text: string): void => void errors.push(invalid(path, value, `${inBody(path)} ${text}`));
  const isFraction = schema.type === "integer" && typeName(value) === "number";
  const limit = schema.type === "integer" ? integerLimits[schema.format ?? ""] : undefined;
  // The largest int64 is rounded up to 2^63.
  const isBeyond = limit !== undefined && (value < -limit || (value >= limit && limit < 2 ** 63));
  if (isFraction || isBeyond || (schema.format === "float" && Math.abs(value) > largestFloat))
    errors.push(outOfFormat(schema, path));
  // The server compares integers with integers: it converts the limits.
  const fit = (bound: number): number => (isInt64(value) ? toInt64(bound) : bound);
  const show = isInt64(value) ? goNumber : goFloat;
  const { minimum, maximum, multipleOf } = schema;
  if (maximum !== undefined && isOver(value, fit(maximum), schema.exclusiveMaximum))
    say(`should be less than ${schema.exclusiveMaximum ? "" : "or equal to "}${show(fit(maximum))}`);
  if (minimum !== undefined && isOver(fit(minimum), value, schema.exclusiveMinimum))
    say(`should be greater than ${schema.exclusiveMinimum ? "" : "or equal to "}${show(fit(minimum))}`);
  if (multipleOf === undefined) return;
  const factor = fit(multipleOf);
  if (factor <= 0)
    errors.push(invalid(path, factor, `factor MultipleOf declared for ${path} must be positive: ${show(factor)}`));
  else if (!isMultiple(value, factor)) say(`should be a multiple of ${show(factor)}`);
}

function outOfFormat({ type, format }: JsonSchema, path: string): FieldError {
  const shown = format === undefined ? "(default format)" : `with format ${format}`;
  return invalid("<nil>", "", `Checked value must be of type ${type} ${shown} in ${path}`);
}

/** Reports whether a number is beyond a limit, or at an excluded one. */
function isOver(value: number, limit: number, isExcluded: boolean | undefined): boolean {
  return isExcluded ? value >= limit : value > limit;
}

/** Reports whether a number is a multiple. Like the server, accepts quotients within a billionth above an integer. */
function isMultiple(value: number, of: number): boolean {
  if (isInt64(value)) return value % of === 0;
  const times = of < 1 ? (1 / of) * value : value / of;
  if (Math.abs(times) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(times);
  return times === whole || (whole > 0 && (times - whole) / (times + whole) < 1e-9);
}

function validateList(schema: JsonSchema, list: readonly unknown[], at: Place, errors: FieldError[]): void {
  const { path } = at;
  if (schema.maxItems !== undefined && list.length > schema.maxItems)
    errors.push(tooMany(path, list.length, schema.maxItems));
  if (schema.minItems !== undefined && list.length < schema.minItems)
    errors.push(invalid(path, list.length, `${inBody(path)} should have at least ${schema.minItems} items`));
  const { items } = schema;
  const oldOf = oldItems(schema, at.old);
  if (items)
    list.forEach((item, index) => {
      validate(items, item, { path: `${path}[${index}]`, old: oldOf(item), work: at.work }, errors);
    });
  reportDuplicates(schema, list, path, errors);
}

function reportDuplicates(schema: JsonSchema, list: readonly unknown[], path: string, errors: FieldError[]): void {
  const type = schema["x-kubernetes-list-type"];
  if (type !== "set" && type !== "map") return;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  // An item without keys ends the search.
  const wrong = type === "map" ? list.findIndex((item) => typeof item !== "object" || Array.isArray(item)) : -1;
  if (wrong >= 0) {
    errors.push(invalid(`${path}[${wrong}]`, list[wrong], "must be an object for an array of list-type map"));
    return;
  }
  const identityOf = type === "set" ? JSON.stringify : itemIdentity(schema);
  const seen = new Map<string, boolean>();
  list.forEach((item, index) => {
    const identity = identityOf(item) ?? "";
    // One error for each value, however often it is repeated.
    if (seen.get(identity) === false && errors.length < mostErrors)
      errors.push(duplicate(`${path}[${index}]`, type === "set" ? item : keysOf(item, keys, schema.items)));
    seen.set(identity, seen.has(identity));
  });
}

/** Returns the key fields of an item of a list map, sorted as the server prints them. */
function keysOf(item: unknown, keys: readonly string[], items: JsonSchema | undefined): Record<string, unknown> {
  const entries = keys.toSorted().map((key) => [key, fieldOf(item, key) ?? items?.properties?.[key]?.default] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function validateFields(schema: JsonSchema, fields: Record<string, unknown>, at: Place, errors: FieldError[]): void {
  const { path } = at;
  const count = Object.keys(fields).length;
  if (schema.maxProperties !== undefined && count > schema.maxProperties)
    errors.push(tooMany(path, count, schema.maxProperties));
  if (schema.minProperties !== undefined && count < schema.minProperties)
    errors.push(invalid(path, count, `${inBody(path)} should have at least ${schema.minProperties} properties`));
  for (const name of schema.required ?? [])
    if (!Object.hasOwn(fields, name)) errors.push(required(joinField(path, name)));
  if (schema["x-kubernetes-embedded-resource"]) {
    for (const name of ["apiVersion", "kind"])
      if (fields[name] === undefined) errors.push(required(joinField(path, name)));
  }
  const declared = schema.properties ?? {};
  for (const [name, value] of Object.entries(fields)) {
    const isDeclared = Object.hasOwn(declared, name);
    const child = isDeclared ? declared[name] : schema.additionalProperties;
    if (typeof child === "object") {
      const childPath = isDeclared ? joinField(path, name) : cutField(`${path}.${name}`);
      const known = errors.length;
      validate(child, value, { path: childPath, old: fieldOf(at.old, name), work: at.work }, errors);
      if (!isDeclared) bracketKey(errors, known, [childPath, cutField(`${path}[${name}]`)]);
    }
  }
}

/** Writes the key of a map in brackets in the errors from `first` on, as a real server does for duplicates only. */
function bracketKey(errors: FieldError[], first: number, [path, keyed]: readonly [string, string]): void {
  for (let index = first; index < errors.length; index++) {
    const error = errors[index]!;
    if (error.reason === "FieldValueDuplicate")
      errors.splice(index, 1, { ...error, field: keyed + error.field.slice(path.length) });
  }
}

/** Checks the branches. The server names no field for them (`<nil>`), and appends the errors of the nearest branch. */
function validateBranches(schema: JsonSchema, value: unknown, at: Place, errors: FieldError[]): void {
  const { path, work } = at;
  const say = (text: string): void => void errors.push(invalid("<nil>", "", `${JSON.stringify(path)} ${text}`));
  const judge = (branches: readonly JsonSchema[]): FieldError[][] =>
    branches.map((branch) => findErrors(branch, value, { path, old: undefined, work }));
  const isValid = (found: readonly FieldError[]): boolean => found.length === 0;
  // There may be more errors than a call takes arguments.
  const report = (found: readonly FieldError[]): void => found.forEach((error) => errors.push(error));
  if (schema.allOf) {
    const found = judge(schema.allOf);
    const count = found.filter(isValid).length;
    report(found.flat());
    if (count < found.length) say(`must validate all the schemas (allOf)${count === 0 ? ". None validated" : ""}`);
  }
  if (schema.anyOf) {
    const found = judge(schema.anyOf);
    if (!found.some(isValid)) {
      say("must validate at least one schema (anyOf)");
      report(found[nearestBranch(schema.anyOf, value)]!);
    }
  }
  if (schema.oneOf) {
    const found = judge(schema.oneOf);
    const count = found.filter(isValid).length;
    if (count === 0) {
      say("must validate one and only one schema (oneOf). Found none valid");
      report(found[nearestBranch(schema.oneOf, value)]!);
    }
    if (count > 1) say(`must validate one and only one schema (oneOf). Found ${count} valid alternatives`);
  }
  if (schema.not && judge([schema.not]).every(isValid)) say("must not validate the schema (not)");
}

function inBody(path: string): string {
  return `${path} in body`;
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  // Like Go, treats every number that is not an int64 as a float.
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) <= 2 ** 63 ? "integer" : "number";
  return typeof value;
}

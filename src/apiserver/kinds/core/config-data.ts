import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { forbidden, invalid } from "../../../apimachinery/schema/field-error.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import { mapAt } from "../printing/field-access.ts";
import type { Fields } from "../../../apimachinery/fields.ts";

const keyText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
  "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** Checks the keys, which become file names. */
export function keyErrors(object: UnstructuredObject, at = "data"): StatusCause[] {
  return Object.keys(object[at] ?? {}).flatMap((key) =>
    keyProblems(key).map((problem) => invalid(`${at}[${key}]`, key, problem)),
  );
}

function keyProblems(key: string): string[] {
  const problems = key.length > 253 ? ["must be no more than 253 characters"] : [];
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) problems.push(keyText);
  if (key === "." || key === "..") problems.push(`must not be '${key}'`);
  else if (key.startsWith("..")) problems.push("must not start with '..'");
  return problems;
}

/** The most bytes of all values together. */
export const largest: number = 1024 * 1024;

export function bytesSize(values: unknown): number {
  return sum(values, (text) => Buffer.byteLength(text, "base64"));
}

export function sum(values: unknown, sizeOf: (text: string) => number): number {
  return Object.values((values ?? {}) as Record<string, string>).reduce((size, text) => size + sizeOf(text), 0);
}

/** Rejects changes of the data and of `immutable: true`. */
export function immutableData(
  object: UnstructuredObject,
  old: UnstructuredObject | undefined,
  fields: readonly string[],
): StatusCause[] {
  if (old?.["immutable"] !== true) return [];
  const changed = fields.filter((field) => !equalJson(object[field], old[field]));
  const refused = [...(object["immutable"] === true ? [] : ["immutable"]), ...changed];
  return refused.map((field) => forbidden(field, "field is immutable when `immutable` is set"));
}

/** Returns the number of members of a map. */
export function membersIn(object: Fields, field: string): number {
  return Object.keys(mapAt(object, field)).length;
}

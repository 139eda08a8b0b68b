import { equalJson } from "../../../apimachinery/equal.ts";
import { configKeyProblems } from "../../../apimachinery/label-syntax.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { forbidden, invalid } from "../../../apimachinery/field-error.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import { mapAt } from "../printing/field-access.ts";
import type { Fields } from "../../../apimachinery/fields.ts";

/** Checks the keys, which become file names. */
export function keyErrors(object: UnstructuredObject, at = "data"): StatusCause[] {
  return Object.keys(object[at] ?? {}).flatMap((key) =>
    configKeyProblems(key).map((problem) => invalid(`${at}[${key}]`, key, problem)),
  );
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

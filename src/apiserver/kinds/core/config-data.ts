import { equalJson } from "../../../apimachinery/equal.ts";
import { forbidden, invalid, tooLong, type FieldError } from "../../../apimachinery/field-error.ts";
import { configKeyProblems } from "../../../apimachinery/label-syntax.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { FieldRule } from "../rules/field-rules.ts";

/** The rule of the keys of a map, which become file names. */
export const fileNames: FieldRule = (map, at) =>
  Object.keys(map ?? {}).flatMap((key) =>
    configKeyProblems(key).map((problem) => invalid(`${at}[${key}]`, key, problem)),
  );

/** The most bytes of all values together. */
const largest = 1024 * 1024;

/** Returns the rule of an object with texts in these maps: each in an encoding. */
export function dataSize(field: string, encodings: Readonly<Record<string, BufferEncoding>>): FieldRule {
  return (value) => {
    const sizes = Object.entries(encodings).flatMap(([name, encoding]) => {
      const map = ((value as UnstructuredObject)[name] ?? {}) as Record<string, string>;
      return Object.values(map).map((text) => Buffer.byteLength(text, encoding));
    });
    return sizes.reduce((sum, size) => sum + size, 0) > largest ? [tooLong(field, largest)] : [];
  };
}

/** Refuses changes of the data and of `immutable: true`. */
export function immutableData(
  object: UnstructuredObject,
  old: UnstructuredObject | undefined,
  ...fields: readonly string[]
): FieldError[] {
  if (old?.["immutable"] !== true) return [];
  return ["immutable", ...fields]
    .filter((field) => !equalJson(object[field], old[field]))
    .map((field) => forbidden(field, "field is immutable when `immutable` is set"));
}

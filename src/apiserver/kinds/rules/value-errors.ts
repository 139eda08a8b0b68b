import type { Fields } from "../../../apimachinery/fields.ts";
import { joinField, type FieldError, invalid, notSupported } from "../../../apimachinery/field-error.ts";

/** Returns an error unless the value is one of the words. */
export function wordErrors(field: string, value: unknown, words: readonly string[]): FieldError[] {
  return words.includes(value as string) ? [] : [notSupported(field, value, words)];
}

/** Returns an error unless the value is absent or one of the words. */
export function optionalWordErrors(field: string, value: unknown, words: readonly string[]): FieldError[] {
  return value === undefined ? [] : wordErrors(field, value, words);
}

/** Returns an error for each field that is negative. */
export function negativeErrors(fields: Fields, at: string, names: readonly string[]): FieldError[] {
  return names
    .filter((name) => Number(fields[name] ?? 0) < 0)
    .map((name) => invalid(joinField(at, name), fields[name], "must be greater than or equal to 0"));
}

/** Returns the indexes of the values that a list has before. */
export function repeatedIndexes(list: readonly unknown[]): ReadonlySet<number> {
  const seen = new Set<unknown>();
  const repeated = new Set<number>();
  for (const [index, value] of list.entries()) {
    if (seen.has(value)) repeated.add(index);
    seen.add(value);
  }
  return repeated;
}

const percentText =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for " +
  "validation is '[0-9]+%')";

/** Returns the errors in a number or percentage of pods; none if it is absent. */
export function amountErrors(field: string, value: unknown): FieldError[] {
  if (typeof value === "number") return value < 0 ? [invalid(field, value, "must be greater than or equal to 0")] : [];
  return typeof value === "string" && !/^[0-9]+%$/.test(value) ? [invalid(field, value, percentText)] : [];
}

/** Returns an error for more than 100 %. */
export function excessErrors(field: string, value: unknown): FieldError[] {
  return typeof value === "string" && percentOf(value) > 100
    ? [invalid(field, value, "must not be greater than 100%")]
    : [];
}

/** Returns the number before a percent sign; 0 if there is none. */
export function percentOf(value: string): number {
  return /^[0-9]+%$/.test(value) ? Number.parseInt(value, 10) : 0;
}

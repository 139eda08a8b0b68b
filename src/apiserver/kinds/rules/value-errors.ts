import { type FieldError, notSupported } from "../../../apimachinery/field-error.ts";

/** Returns an error unless the value is one of the words. */
export function wordErrors(field: string, value: unknown, words: readonly string[]): FieldError[] {
  return words.includes(value as string) ? [] : [notSupported(field, value, words)];
}

/** Returns an error unless the value is absent or one of the words. */
export function optionalWordErrors(field: string, value: unknown, words: readonly string[]): FieldError[] {
  return value === undefined ? [] : wordErrors(field, value, words);
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

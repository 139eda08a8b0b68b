import { type FieldError, duplicate, tooMany } from "../../../apimachinery/field-error.ts";

export interface ListRules<T> {
  /** The most items; any number by default. */
  readonly most?: number;
  /** Returns the part that no other item has; by default, items may be the same. */
  readonly keyOf?: (item: T) => unknown;
  readonly itemErrors: (item: T, at: string) => readonly FieldError[];
}

/** Returns the errors of a list and its items. A list that is too long is not checked further. */
export function listErrors<T>(list: readonly T[], at: string, { most, keyOf, itemErrors }: ListRules<T>): FieldError[] {
  if (most !== undefined && list.length > most) return [tooMany(at, list.length, most)];
  const errors = list.flatMap((item, index) => itemErrors(item, `${at}[${index}]`));
  if (!keyOf) return errors;
  const seen = new Set<string>();
  list.forEach((item, index) => {
    const key = keyOf(item);
    const text = JSON.stringify(key);
    if (seen.has(text)) errors.push(duplicate(`${at}[${index}]`, key));
    seen.add(text);
  });
  return errors;
}

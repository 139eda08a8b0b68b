/** Keys and indexes from the root of a value. */
export type Path = readonly (string | number)[];

/** Returns the paths of all values in a value, including its own; of a list only those of the first two items. */
export function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Array.isArray(value)
    ? value.slice(0, 2).flatMap((item, index) => pathsOf(item, [...path, index]))
    : Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...path, key]));
  return [path, ...inner];
}

/** Returns the value with another one at a path. */
export function replaceValue(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  const inner = replaceValue((value as Record<string | number, unknown>)[step], rest, by);
  return Array.isArray(value) ? value.with(Number(step), inner) : { ...(value as object), [step]: inner };
}

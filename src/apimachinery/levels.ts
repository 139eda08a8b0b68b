/** The most levels of objects and lists in a value that is accepted: recursive functions would exhaust the stack. */
export const mostLevels = 1000;

/** Reports whether a value has more levels. Looks at one after the other, so that it needs no stack. */
export function isTooDeep(value: unknown): boolean {
  let level = containersIn([value]);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > mostLevels) return true;
    level = level.flatMap((each) => containersIn(Object.values(each)));
  }
  return false;
}

function containersIn(values: readonly unknown[]): object[] {
  return values.filter((value) => typeof value === "object" && value !== null);
}

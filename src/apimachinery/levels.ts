/** The most levels of objects and lists in a value that is accepted: recursive functions would exhaust the stack. */
export const mostLevels = 1000;

/** Reports whether a value has more levels. Looks at one after the other, so that it needs no stack. */
export function isTooDeep(value: unknown): boolean {
  let level: object[] = [];
  if (typeof value === "object" && value !== null) level.push(value);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > mostLevels) return true;
    level = childrenOf(level);
  }
  return false;
}

/** Returns the objects and lists one level down; there may be a million, most of them empty. */
function childrenOf(level: readonly object[]): object[] {
  const below: object[] = [];
  const add = (value: unknown): void => {
    if (typeof value === "object" && value !== null) below.push(value);
  };
  for (const each of level)
    if (Array.isArray(each)) each.forEach(add);
    else for (const key in each) add(each[key as never]);
  return below;
}

import type { Entry } from "./entry.ts";

/** Fields in which an operator may write something else each time, such as when it has looked last. */
const reports = /^(status|metadata\.annotations)\./;

/** Leaves out what the version that is deployed now does to the copy as well. */
export function withoutNoise(entries: readonly Entry[], old: readonly Entry[]): Entry[] {
  const known = new Map(old.map((entry) => [entry.id, entry]));
  return entries.flatMap((entry) => {
    const before = known.get(entry.id);
    if (!before) return [entry];
    const differences = entry.differences.filter(({ path, actual }) => {
      const same = before.differences.find((each) => each.path === path);
      return !same || (same.actual !== actual && !reports.test(path));
    });
    if (differences.length > 0) return [{ ...entry, differences }];
    const isSame = before.effect === entry.effect || entry.differences.length > 0;
    return isSame ? [] : [entry];
  });
}

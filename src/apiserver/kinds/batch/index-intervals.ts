/** Indexes of a job from the first to the last, both inclusive. */
type Interval = readonly [first: number, last: number];

export interface Indexes {
  readonly intervals: readonly Interval[];
  /** The problem of the text, in a real server's words. */
  readonly problem?: string;
}

/** Parses indexes of a job with so many completions, such as `0,3-5`. */
export function parseIndexes(text: string, completions: number): Indexes {
  const intervals: Interval[] = [];
  if (text === "") return { intervals };
  for (const part of text.split(",")) {
    const interval = parseInterval(part, completions);
    if (typeof interval === "string") return { intervals, problem: interval };
    const [, before = -1] = intervals.at(-1) ?? [];
    if (interval[0] <= before) return { intervals, problem: orderProblem(before, interval[0]) };
    intervals.push(interval);
  }
  return { intervals };
}

/** Returns the number of indexes; none if the text is wrong. */
export function countIndexes({ intervals, problem }: Indexes): number {
  return problem === undefined ? intervals.reduce((sum, [first, last]) => sum + last - first + 1, 0) : 0;
}

/** Returns the first index that both texts have. Wrong parts are skipped. */
export function firstCommonIndex(a: string, b: string, completions: number): number | undefined {
  const [left, right] = [sortedIntervals(a, completions), sortedIntervals(b, completions)];
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    const [[first, last], [otherFirst, otherLast]] = [left[i]!, right[j]!];
    if (first <= otherLast && otherFirst <= last) return Math.max(first, otherFirst);
    if (last < otherLast) i++;
    else j++;
  }
  return undefined;
}

function sortedIntervals(text: string, completions: number): Interval[] {
  const parts = text.split(",").map((part) => parseInterval(part, completions));
  return parts.filter((interval) => typeof interval !== "string").sort(([first], [other]) => first - other);
}

function parseInterval(text: string, completions: number): Interval | string {
  const parts = text.split("-");
  if (parts.length > 2)
    return `the fragment ${JSON.stringify(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  for (const part of parts) {
    if (!/^\+?\d+$/.test(part)) return `cannot convert string to integer for index: ${JSON.stringify(part)}`;
    if (Number(part) >= completions) return `too large index: ${JSON.stringify(part)}`;
  }
  const [first = 0, last = first] = parts.map(Number);
  return parts.length > 1 && first >= last ? orderProblem(first, last) : [first, last];
}

function orderProblem(before: number, now: number): string {
  return `non-increasing order, previous: ${before}, current: ${now}`;
}

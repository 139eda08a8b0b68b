/** Indexes of a job from the first to the last, both inclusive. */
type Interval = readonly [first: number, last: number];

/** Parses indexes of a job with so many completions, such as `0,3-5`; returns undefined for a text that is wrong. */
export function parseIndexes(text: string, completions: number): readonly Interval[] | undefined {
  let before = -1;
  const intervals: Interval[] = [];
  for (const part of text === "" ? [] : text.split(",")) {
    const [, from, to] = /^\+?(\d+)(?:-\+?(\d+))?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to ?? from)];
    const isRight = first > before && last < completions && (to === undefined || first < last);
    if (!isRight) return undefined;
    intervals.push([first, last]);
    before = last;
  }
  return intervals;
}

/** Returns the number of indexes. */
export function countIndexes(intervals: readonly Interval[] = []): number {
  return intervals.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** Reports whether two texts have an index in common; wrong ones have none. */
export function haveCommonIndex(a: string, b: string, completions: number): boolean {
  const [left = [], right = []] = [parseIndexes(a, completions), parseIndexes(b, completions)];
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    const [[first, last], [otherFirst, otherLast]] = [left[i]!, right[j]!];
    if (first <= otherLast && otherFirst <= last) return true;
    if (last < otherLast) i++;
    else j++;
  }
  return false;
}

/** The most indexes that are parsed, of which a range of a few characters can have two billion. */
const mostIndexes = 100_000;

/** Parses indexes such as `0-2,5`, the first 100,000 of them. */
export function parseRanges(text: string): number[] {
  const indexes: number[] = [];
  for (const range of text.split(",")) {
    const [from = "", to = from] = range.split("-");
    if (from === "") continue;
    for (let index = Number(from); index <= Number(to) && indexes.length < mostIndexes; index++) indexes.push(index);
  }
  return indexes;
}

/** Formats indexes as `0-2,5`. */
export function formatRanges(indexes: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const index of indexes) {
    const last = spans.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else spans.push([index, index]);
  }
  return spans
    .map(([from, to]) => (from === to ? String(from) : `${from}${to === from + 1 ? "," : "-"}${to}`))
    .join(",");
}

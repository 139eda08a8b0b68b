/** Parses indexes such as `0-2,5`. */
export function parseRanges(text: string): number[] {
  return text.split(",").flatMap((range) => {
    const [from = "", to = from] = range.split("-");
    if (from === "") return [];
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index);
  });
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

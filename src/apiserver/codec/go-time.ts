/**
 * Returns the error of Go's parser for a text that is not a time of RFC 3339; `undefined` for a valid one. The layout
 * says how many digits a second has after the point; without any, it may have any number.
 */
export function goTimeError(text: string, layout: string): string | undefined {
  const subject = `parsing time ${JSON.stringify(text)}`;
  let rest = text;
  const values = new Map<string, number>();
  for (const [shown, pattern] of partsOf(layout)) {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined)
      return `${subject} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(shown)}`;
    values.set(shown, Number(found));
    rest = rest.slice(found.length);
    const out = ranges[shown];
    if (out && !out.isRight(Number(found))) return `${subject}: ${out.name} out of range`;
  }
  if (rest) return `${subject}: extra text: ${JSON.stringify(rest)}`;
  const lastDay = new Date(Date.UTC(values.get("2006") ?? 0, values.get("01") ?? 1, 0)).getUTCDate();
  return (values.get("02") ?? 0) > lastDay ? `${subject}: day out of range` : undefined;
}

function partsOf(layout: string): (readonly [shown: string, pattern: RegExp])[] {
  const hasMicros = layout.includes(".000000");
  return [
    ["2006", /^\d{4}/],
    ["-", /^-/],
    ["01", /^\d\d/],
    ["-", /^-/],
    ["02", /^\d\d/],
    ["T", /^T/],
    ["15", /^\d\d/],
    [":", /^:/],
    ["04", /^\d\d/],
    [":", /^:/],
    ["05", hasMicros ? /^\d\d/ : /^\d\d([.,]\d+)?/],
    ...(hasMicros ? ([[".000000", /^[.,]\d{6}/]] as const) : []),
    ["Z07:00", /^(Z|[-+]\d\d:\d\d)/],
  ];
}

const upTo = (most: number, name: string, least = 0) => ({
  name,
  isRight: (value: number) => value >= least && value < most,
});

const ranges: Readonly<Record<string, ReturnType<typeof upTo>>> = {
  "01": upTo(13, "month", 1),
  "15": upTo(24, "hour"),
  "04": upTo(60, "minute"),
  "05": upTo(60, "second"),
};

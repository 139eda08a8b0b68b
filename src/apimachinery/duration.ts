const second = 10n ** 9n;
const units: Readonly<Record<string, bigint>> = {
  h: 3600n * second,
  m: 60n * second,
  s: second,
  ms: 10n ** 6n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ns: 1n,
};

/** Parses a duration in Go's notation, such as `-1h30m0.5s`, to nanoseconds; returns `undefined` for other texts. */
export function parseDuration(text: string): bigint | undefined {
  const match = /^([-+]?)(0|(?:(?:\d+\.?\d*|\.\d+)(?:h|ms|m|s|us|µs|μs|ns))+)$/.exec(text);
  if (!match) return undefined;
  let nanos = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of match[2]!.matchAll(/(\d*)\.?(\d*)(h|ms|m|s|us|µs|μs|ns)/g))
    nanos += (BigInt(whole + fraction) * units[unit]!) / 10n ** BigInt(fraction.length);
  return match[1] === "-" ? -nanos : nanos;
}

import { TsopError } from "../errors/tsop-error.ts";
import type { Duration } from "./meta.ts";

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

/**
 * Returns the milliseconds of a Duration such as `1h30m`, as `requeueAfter` takes them. Throws a TsopError for other
 * texts: the schema of a Duration does not refuse them.
 *
 * @example
 * const result: Result = { requeueAfter: durationToMs("1h30m") };
 */
export function durationToMs(duration: Duration): number {
  const nanos = parseDuration(duration);
  if (nanos === undefined) throw new TsopError("TSOP_DURATION_INVALID", { duration });
  return Number(nanos) / 1e6;
}

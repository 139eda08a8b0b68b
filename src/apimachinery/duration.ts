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

/**
 * Formats milliseconds as a Duration, as Go does: `1h30m0s`, `1.5s`, `250ms`.
 *
 * @example
 * const lease = { renewEvery: formatDuration(90_000) }; // 1m30s
 */
export function formatDuration(ms: number): Duration {
  const size = Math.abs(ms);
  const sign = ms < 0 ? "-" : "";
  if (size === 0) return "0s";
  if (size < 1000)
    return (
      sign + (size < 1 ? (size < 0.001 ? `${digits(size * 1e6)}ns` : `${digits(size * 1e3)}µs`) : `${digits(size)}ms`)
    );
  const hours = Math.floor(size / 3_600_000);
  const minutes = Math.floor(size / 60_000) % 60;
  const seconds = `${digits((size % 60_000) / 1000)}s`;
  return sign + (hours > 0 ? `${hours}h${minutes}m${seconds}` : minutes > 0 ? `${minutes}m${seconds}` : seconds);
}

/** Writes at most nine digits after the point. */
function digits(value: number): string {
  return String(Number(value.toFixed(9)));
}

/**
 * Compares two Durations for sorting: the result is negative, zero or positive.
 *
 * @example
 * const isLonger = compareDurations("90m", "1h") > 0; // true
 */
export function compareDurations(a: Duration, b: Duration): number {
  return durationToMs(a) - durationToMs(b);
}

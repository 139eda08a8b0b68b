import { CelError } from "../issue.ts";
import { CelDuration, type CelTimestamp } from "../values.ts";
import { int64, timestamp } from "./operators.ts";

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

/** Reads RFC 3339, to the nanosecond. */
export function parseTimestamp(text: string): CelTimestamp {
  const match = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d+))?([Zz]|[-+]\d{2}:\d{2})$/.exec(text);
  const [, date, time, fraction = "", zone = ""] = match ?? [];
  const millis = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  if (!match || Number.isNaN(millis))
    throw new CelError("type conversion error from 'string' to 'google.protobuf.Timestamp'");
  return timestamp(BigInt(millis) * 10n ** 6n + BigInt(fraction.slice(0, 9).padEnd(9, "0")));
}

/** RFC 3339 in UTC, with as many digits of the second as needed. */
export function formatTimestamp({ nanos }: CelTimestamp): string {
  const rest = ((nanos % second) + second) % second;
  const text = new Date(Number((nanos - rest) / 10n ** 6n)).toISOString().slice(0, 19);
  const fraction = rest === 0n ? "" : `.${String(rest).padStart(9, "0").replace(/0+$/, "")}`;
  return `${text}${fraction}Z`;
}

/** Reads Go's notation, such as `-1h30m0.5s`. */
export function parseDuration(text: string): CelDuration {
  const match = /^([-+]?)(0|(?:(?:\d+\.?\d*|\.\d+)(?:h|ms|m|s|us|µs|μs|ns))+)$/.exec(text);
  if (!match) throw new CelError("type conversion error from 'string' to 'google.protobuf.Duration'");
  let nanos = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of match[2]!.matchAll(/(\d*)\.?(\d*)(h|ms|m|s|us|µs|μs|ns)/g))
    nanos += (BigInt(whole + fraction) * units[unit]!) / 10n ** BigInt(fraction.length);
  return new CelDuration(int64(match[1] === "-" ? -nanos : nanos));
}

/** A duration as seconds, such as `5400.5s`. */
export function formatSeconds({ nanos }: CelDuration): string {
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = String(size % second)
    .padStart(9, "0")
    .replace(/0+$/, "");
  return `${nanos < 0n ? "-" : ""}${size / second}${fraction && `.${fraction}`}s`;
}

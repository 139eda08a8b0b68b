import { parseDuration as parseNanoseconds } from "../../duration.ts";
import { CelError } from "../values/issue.ts";
import { CelDuration, type CelTimestamp } from "../values/values.ts";
import { int64, celTimestamp } from "./operators.ts";

const second = 10n ** 9n;

/** Parses RFC 3339, to the nanosecond. */
export function parseTimestamp(text: string): CelTimestamp {
  const match = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d+))?([Zz]|[-+]\d{2}:\d{2})$/.exec(text);
  const [, date, time, fraction = "", zone = ""] = match ?? [];
  const millis = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  if (!match || Number.isNaN(millis))
    throw new CelError("type conversion error from 'string' to 'google.protobuf.Timestamp'");
  return celTimestamp(BigInt(millis) * 10n ** 6n + BigInt(fraction.slice(0, 9).padEnd(9, "0")));
}

/** Formats a time in RFC 3339 and UTC, with as many fractional digits as needed. */
export function formatTimestamp({ nanos }: CelTimestamp): string {
  const rest = ((nanos % second) + second) % second;
  const text = new Date(Number((nanos - rest) / 10n ** 6n)).toISOString().slice(0, 19);
  const fraction = rest === 0n ? "" : `.${String(rest).padStart(9, "0").replace(/0+$/, "")}`;
  return `${text}${fraction}Z`;
}

/** Parses a duration in Go's notation. */
export function parseDuration(text: string): CelDuration {
  const nanos = parseNanoseconds(text);
  if (nanos === undefined) throw new CelError("type conversion error from 'string' to 'google.protobuf.Duration'");
  return new CelDuration(int64(nanos));
}

/** Formats a duration in seconds, such as `5400.5s`. */
export function formatSeconds({ nanos }: CelDuration): string {
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = String(size % second)
    .padStart(9, "0")
    .replace(/0+$/, "");
  return `${nanos < 0n ? "-" : ""}${size / second}${fraction && `.${fraction}`}s`;
}

import { CelError } from "../values/issue.ts";
import type { Run } from "../values/overload.ts";
import { CelDuration, type CelTimestamp } from "../values/values.ts";
import { parseDuration as parseNanoseconds } from "../../duration.ts";
import { int64, celTimestamp } from "./operators.ts";

const day = 86_400_000;

type Getter = (date: Date) => number;

/** The parts of a time; months, days of the month and days of the year count from 0 except in `getDate`. */
const getters: Readonly<Record<string, Getter>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: (date) =>
    Math.floor((date.getTime() - Date.parse(`${date.toISOString().slice(0, 4)}-01-01T00:00:00Z`)) / day),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

const nanosIn: Readonly<Record<string, bigint>> = {
  getHours: 3600n * 10n ** 9n,
  getMinutes: 60n * 10n ** 9n,
  getSeconds: 10n ** 9n,
  getMilliseconds: 10n ** 6n,
};

export const timeFunctions: Readonly<Record<string, Run>> = Object.fromEntries([
  ...Object.entries(getters).flatMap(([name, get]): [string, Run][] => [
    [`timestamp -> ${name}(): int`, (time: CelTimestamp) => BigInt(get(dateOf(time)))],
    [
      `timestamp -> ${name}(string): int`,
      (time: CelTimestamp, zone: string) => BigInt(get(shiftTo(dateOf(time), zone))),
    ],
  ]),
  ...Object.entries(nanosIn).map(([name, unit]): [string, Run] => [
    `duration -> ${name}(): int`,
    (duration: CelDuration) => duration.nanos / unit,
  ]),
]);

function dateOf({ nanos }: CelTimestamp): Date {
  const millis = nanos / 10n ** 6n;
  return new Date(Number(nanos % 10n ** 6n < 0n ? millis - 1n : millis));
}

/** Returns a date whose UTC parts are the local ones of a zone: `+02:00` or `Europe/Berlin`. */
function shiftTo(date: Date, zone: string): Date {
  const offset = /^([-+]?)(\d{1,2}):(\d{2})$/.exec(zone);
  if (offset) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return new Date(date.getTime() + (offset[1] === "-" ? -minutes : minutes) * 60_000);
  }
  const parts = formatter(zone).formatToParts(date);
  const part = (type: string): string => parts.find((item) => item.type === type)?.value ?? "00";
  const text = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}`;
  return new Date(Date.parse(`${text}Z`) + (date.getTime() % 1000));
}

function formatter(zone: string): Intl.DateTimeFormat {
  const two = "2-digit";
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone: zone === "" || zone === "Local" ? "UTC" : zone,
      hourCycle: "h23",
      year: "numeric",
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    });
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}

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

import { TsopError } from "../errors/tsop-error.ts";
import { durationToMs } from "./duration.ts";
import type { Duration, MicroTime, Time } from "./meta.ts";

/** A Date, milliseconds since 1970, or an Instant or ZonedDateTime of Temporal. */
export type PointInTime = Date | number | { readonly epochMilliseconds: number };

/**
 * Formats a time in RFC 3339 with whole seconds, as in objects. `Temporal.Instant.from` reads the result.
 *
 * @example
 * (memcached.metadata.annotations ??= {})["example.com/restarted-at"] = formatTime(new Date());
 * await client.update(Memcached, memcached);
 */
export function formatTime(time: PointInTime): Time {
  return `${dateOf(time).toISOString().slice(0, -5)}Z`;
}

function dateOf(time: PointInTime): Date {
  return new Date(typeof time === "object" && "epochMilliseconds" in time ? time.epochMilliseconds : time);
}

/** Formats milliseconds since 1970, as a clock of the time of day shows them. */
export function timestamp(ms: number): Time {
  return formatTime(ms);
}

/**
 * Returns the milliseconds since 1970 of a time in an object. Throws a TsopError for other texts.
 *
 * @example
 * const pods = await client.list(Pod, { namespace: "default" });
 * const latest = Math.max(...pods.items.flatMap(({ status }) => status?.startTime ?? []).map(parseTime));
 */
export function parseTime(time: Time): number {
  const ms = rfc3339.test(time) ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(ms)) throw new TsopError("TSOP_TIME_INVALID", { time });
  return ms;
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)$/;

/**
 * Adds milliseconds or a Duration to a time; a negative one leads to an earlier time. A MicroTime keeps its fraction.
 *
 * @example
 * const expires = addTime(memcached.metadata.creationTimestamp ?? formatTime(Date.now()), "1h30m");
 * const result = requeueAt(parseTime(expires));
 */
export function addTime(time: Time, later: number | Duration): Time {
  const ms = Math.floor(parseTime(time)) + (typeof later === "number" ? later : durationToMs(later));
  const micros = /\.\d{3}(\d{3})/.exec(time)?.[1];
  return micros === undefined ? formatTime(ms) : formatMicroTime(ms).replace("000Z", `${micros}Z`);
}

/**
 * Compares two times for sorting, to the last digit of a MicroTime: the result is negative, zero or positive.
 *
 * @example
 * const pods = await client.list(Pod, { namespace: "default" });
 * const started = pods.items.flatMap(({ status }) => status?.startTime ?? []).sort(compareTimes);
 */
export function compareTimes(a: Time, b: Time): number {
  return parseTime(a) - parseTime(b) || Math.sign(belowMs(a) - belowMs(b));
}

/** Returns the digits after the milliseconds as a fraction. */
function belowMs(time: Time): number {
  return Number(`0.${/\.\d{3}(\d+)/.exec(time)?.[1] ?? "0"}`);
}

/**
 * Returns the milliseconds since a time; negative if the time is in the future. Pass the `now` of a manual clock in tests.
 *
 * @example
 * const { creationTimestamp = formatTime(Date.now()) } = memcached.metadata;
 * const isOld = timeSince(creationTimestamp) > durationToMs("24h");
 */
export function timeSince(time: Time, now: PointInTime = Date.now()): number {
  return dateOf(now).getTime() - parseTime(time);
}

/**
 * Formats a time in RFC 3339 with exactly six fractional digits; the server rejects any other number.
 *
 * @example
 * const lease = await client.get(Lease, { namespace: "default", name: "backup" });
 * lease.spec = { ...lease.spec, renewTime: formatMicroTime(new Date()) };
 * await client.update(Lease, lease);
 */
export function formatMicroTime(time: PointInTime): MicroTime {
  return dateOf(time).toISOString().replace("Z", "000Z");
}

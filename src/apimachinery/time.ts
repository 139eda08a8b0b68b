import { TsopError } from "../errors/tsop-error.ts";
import { durationToMs } from "./duration.ts";
import type { Duration, MicroTime, Time } from "./meta.ts";

/**
 * Formats a Date, or milliseconds since 1970, in RFC 3339 with whole seconds, as in objects.
 *
 * @example
 * (memcached.metadata.annotations ??= {})["example.com/restarted-at"] = formatTime(new Date());
 * await client.update(Memcached, memcached);
 */
export function formatTime(time: Date | number): Time {
  return `${new Date(time).toISOString().slice(0, -5)}Z`;
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
 * Adds milliseconds or a Duration to a time; a negative one leads to an earlier time.
 *
 * @example
 * const expires = addTime(memcached.metadata.creationTimestamp ?? formatTime(Date.now()), "1h30m");
 * const result = requeueAt(parseTime(expires));
 */
export function addTime(time: Time, later: number | Duration): Time {
  return formatTime(parseTime(time) + (typeof later === "number" ? later : durationToMs(later)));
}

/**
 * Returns the milliseconds since a time; negative if the time is in the future. Pass the `now` of a manual clock in tests.
 *
 * @example
 * const { creationTimestamp = formatTime(Date.now()) } = memcached.metadata;
 * const isOld = timeSince(creationTimestamp) > durationToMs("24h");
 */
export function timeSince(time: Time, now: Date | number = Date.now()): number {
  return Number(now) - parseTime(time);
}

/**
 * Formats a time in RFC 3339 with exactly six fractional digits; the server rejects any other number.
 *
 * @example
 * const lease = await client.get(Lease, { namespace: "default", name: "backup" });
 * lease.spec = { ...lease.spec, renewTime: formatMicroTime(new Date()) };
 * await client.update(Lease, lease);
 */
export function formatMicroTime(date: Date): MicroTime {
  return date.toISOString().replace("Z", "000Z");
}

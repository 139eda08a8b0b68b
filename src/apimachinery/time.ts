import type { MicroTime, Time } from "./meta.ts";

/**
 * Formats a time in RFC 3339 with whole seconds, as in objects.
 *
 * @example
 * (memcached.metadata.annotations ??= {})["example.com/restarted-at"] = formatTime(new Date());
 * await client.update(Memcached, memcached);
 */
export function formatTime(date: Date): Time {
  return `${date.toISOString().slice(0, -5)}Z`;
}

/** Formats milliseconds since 1970, as a clock of the time of day shows them. */
export function timestamp(ms: number): Time {
  return formatTime(new Date(ms));
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

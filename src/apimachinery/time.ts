import type { MicroTime, Time } from "./meta.ts";

/** RFC 3339 with whole seconds, as objects carry it. */
export function formatTime(date: Date): Time {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}

/** Formats milliseconds since 1970, as a clock of the time of day shows them. */
export function timestamp(ms: number): Time {
  return formatTime(new Date(ms));
}

/**
 * RFC 3339 with exactly six fractional digits: the server refuses any other number of them.
 *
 * @example
 * const lease = await client.get(Lease, { namespace: "default", name: "backup" });
 * lease.spec = { ...lease.spec, renewTime: formatMicroTime(new Date()) };
 * await client.update(Lease, lease);
 */
export function formatMicroTime(date: Date): MicroTime {
  return date.toISOString().replace("Z", "000Z");
}

import type { MicroTime } from "../apimachinery/meta.ts";

/** RFC 3339 with exactly six fractional digits: the server refuses any other number of them. */
export function formatMicroTime(date: Date): MicroTime {
  return date.toISOString().replace("Z", "000Z");
}

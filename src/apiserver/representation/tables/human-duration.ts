import { valueAt } from "./field-access.ts";

const [second, minute, hour, day, year] = [1, 60, 3600, 86_400, 31_536_000];

/** Formats a duration like the ages of kubectl: one or two units, coarser for longer ones. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 2 * minute) return `${Math.max(seconds, 0)}s`;
  if (seconds < 10 * minute) return twoUnits(seconds, [minute, "m"], [second, "s"]);
  if (seconds < 3 * hour) return `${Math.trunc(seconds / minute)}m`;
  if (seconds < 8 * hour) return twoUnits(seconds, [hour, "h"], [minute, "m"]);
  if (seconds < 2 * day) return `${Math.trunc(seconds / hour)}h`;
  if (seconds < 8 * day) return twoUnits(seconds, [day, "d"], [hour, "h"]);
  if (seconds < 2 * year) return `${Math.trunc(seconds / day)}d`;
  if (seconds < 8 * year) return twoUnits(seconds, [year, "y"], [day, "d"]);
  return `${Math.trunc(seconds / year)}y`;
}

/** Returns the age of an RFC 3339 time; `<unknown>` without one, `<invalid>` for other text. */
export function ageOf(time: unknown, now: number): string {
  if (typeof time !== "string" || time === "") return "<unknown>";
  const at = Date.parse(time);
  return Number.isNaN(at) ? "<invalid>" : humanDuration(now - at);
}

/** Returns the age of an object. */
export function creationAge(object: unknown, now: number): string {
  return ageOf(valueAt(object, "metadata", "creationTimestamp"), now);
}

type Unit = readonly [size: number, letter: string];

function twoUnits(seconds: number, [size, letter]: Unit, [smallSize, smallLetter]: Unit): string {
  const rest = Math.trunc((seconds % size) / smallSize);
  const whole = `${Math.trunc(seconds / size)}${letter}`;
  return rest === 0 ? whole : `${whole}${rest}${smallLetter}`;
}

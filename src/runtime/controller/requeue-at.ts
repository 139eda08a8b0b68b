import type { Result } from "./reconciler.ts";

/**
 * Another round at a time of the wall clock; at once if it has passed.
 *
 * @example
 * const midnight = new Date();
 * midnight.setHours(24, 0, 0, 0);
 * const result = requeueAt(midnight);
 */
export function requeueAt(time: Date | number, now: number = Date.now()): Result {
  // 0 would be never.
  return { requeueAfter: Math.max(1, Number(time) - now) };
}

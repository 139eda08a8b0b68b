import type { Result } from "./reconciler.ts";

/**
 * Requests a reconcile at a wall-clock time; at once if it has passed.
 *
 * @example
 * const midnight = new Date();
 * midnight.setHours(24, 0, 0, 0);
 * const result = requeueAt(midnight);
 */
export function requeueAt(time: Date | number, now: number = Date.now()): Result {
  // 0 would mean never.
  return { requeueAfter: Math.max(1, Number(time) - now) };
}

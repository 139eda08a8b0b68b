import { longestTimeout, type Clock } from "../apimachinery/clock.ts";

/**
 * A clock that never jumps, for durations and delays; it does not show the time of day. Its timers keep the process
 * alive: an operator without a connection still waits for its next attempt.
 */
export const monotonicClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, longestTimeout));
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or at once if the signal aborts. */
export function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const cancel = clock.after(ms, finish);
    signal.addEventListener("abort", finish);
  });
}

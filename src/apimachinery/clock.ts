/** Time as a parameter: real in production, manual in tests. */
export interface Clock {
  now(): number;
  /** Calls back once after `ms`; the returned function cancels. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest delay of setTimeout, which fires at once for a longer one. A timer that is cut short is set again. */
export const longestTimeout: number = 2 ** 31 - 1;

/** Creates a clock that shows the time of day. Its timers do not keep the process alive. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    after(ms, callback) {
      const timer = setTimeout(callback, Math.min(ms, longestTimeout));
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}

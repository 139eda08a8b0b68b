import type { Clock } from "./api-server.ts";

/** Real time. Its timers do not keep the process alive. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    after(ms, callback) {
      const timer = setTimeout(callback, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}

import { setImmediate as turn } from "node:timers/promises";
import type { SandboxClock } from "../sandbox/start-sandbox.ts";

/** Time that stands still until it is moved, for a test environment or a sandbox. */
export interface ManualClock extends SandboxClock {
  /** Moves on by `ms`; whatever is due on the way happens in its order, and gets a turn of the event loop each. */
  advance(ms: number): Promise<void>;
}

/**
 * A clock that shows `start`, the present by default.
 *
 * @example
 * const clock = manualClock();
 * const env = new TestEnvironment({ clock, simulate: true });
 * await env.start();
 * await clock.advance(60_000); // what is due within a minute has happened
 */
export function manualClock(start: Date = new Date()): ManualClock {
  let now = start.getTime();
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  const nextDue = (until: number) => [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      const end = now + ms;
      for (let due = nextDue(end); due; due = nextDue(end)) {
        now = due.at;
        timers.delete(due);
        due.callback();
        await turn();
      }
      now = end;
      await turn();
    },
  };
}

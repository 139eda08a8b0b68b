import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../apimachinery/clock.ts";

/** Time that moves only when a test moves it, for a test environment or a sandbox. */
export interface ManualClock extends Clock {
  /** Moves on by `ms`. Timers that become due run in order, and promises settle before the next one. */
  advance(ms: number): Promise<void>;
  /** The number of timers that wait. */
  readonly pending: number;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/**
 * Creates a clock that shows `start`, the present by default.
 *
 * @example
 * const clock = manualClock();
 * const env = new TestEnvironment({ clock, simulate: true });
 * await env.start();
 * await clock.advance(60_000); // timers of the next minute have fired
 */
export function manualClock(start: Date = new Date()): ManualClock {
  let now = start.getTime();
  const timers = new Set<Timer>();
  const nextDue = (until: number): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) if (timer.at <= until && (!first || timer.at < first.at)) first = timer;
    return first;
  };
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (let due = nextDue(end); due; due = nextDue(end)) {
        now = Math.max(now, due.at);
        timers.delete(due);
        due.callback();
        await settle();
      }
      now = end;
      await settle();
    },
    get pending() {
      return timers.size;
    },
  };
}

/**
 * Lets everything run that waits only for promises, and for a server in this process, whose requests rest for a turn when
 * they take long, as any does on a busy machine.
 */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await turn();
}

import type { Clock } from "../../../../src/apimachinery/clock.ts";

/** A clock that runs by itself and also jumps, as after a machine was suspended or its clock was set. */
export interface JumpingClock extends Clock {
  /** Fires due timers soon after a jump forward. A jump back changes only the displayed time and shortens no wait. */
  jump(ms: number): void;
}

interface Timer {
  at: number;
  readonly callback: () => void;
  cancel: () => void;
}

export function jumpingClock(base: Clock): JumpingClock {
  let offset = 0;
  const timers = new Set<Timer>();
  const now = (): number => base.now() + offset;
  const arm = (timer: Timer): void => {
    timer.cancel = base.after(Math.max(0, timer.at - now()), () => {
      timers.delete(timer);
      timer.callback();
    });
  };
  return {
    now,
    after(ms, callback) {
      const timer: Timer = { at: now() + ms, callback, cancel: () => undefined };
      timers.add(timer);
      arm(timer);
      return () => {
        timers.delete(timer);
        timer.cancel();
      };
    },
    jump(ms) {
      offset += ms;
      for (const timer of timers) {
        if (ms < 0) timer.at += ms;
        timer.cancel();
        arm(timer);
      }
    },
  };
}

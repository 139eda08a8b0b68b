import type { Clock } from "../../../../src/apimachinery/clock.ts";

/** Time that goes on by itself and jumps besides, as after a machine has slept or its clock was set. */
export interface JumpingClock extends Clock {
  /** What is due by then happens soon. Back, only what is shown changes: whoever waits for a while waits no longer. */
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

import type { Clock } from "../../apimachinery/clock.ts";

/** Calls `onSilence` once `heard` has not been called for `ms`, until it is stopped. */
export class Silence {
  private readonly clock: Clock;
  private readonly ms: number;
  private readonly onSilence: () => void;
  private heardAt: number;
  private cancel: () => void;

  constructor(clock: Clock, ms: number, onSilence: () => void) {
    this.clock = clock;
    this.ms = ms;
    this.onSilence = onSilence;
    this.heardAt = clock.now();
    this.cancel = clock.after(ms, () => this.look());
  }

  heard(): void {
    this.heardAt = this.clock.now();
  }

  stop(): void {
    this.cancel();
  }

  /** One timer for many calls of `heard`, each of which only notes the time. */
  private look(): void {
    const left = this.heardAt + this.ms - this.clock.now();
    if (left > 0) this.cancel = this.clock.after(left, () => this.look());
    else this.onSilence();
  }
}

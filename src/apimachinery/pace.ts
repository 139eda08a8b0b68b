import { setImmediate as nextTurn } from "node:timers/promises";
import type { Steps } from "./steps.ts";

/** The time in milliseconds for which a request may keep others waiting. */
const longestTurn = 20;

/** The turns of the event loop that a request takes: one, unless its object is large. */
export class Pace {
  private since = performance.now();

  /** True if the request should let others go on. */
  get isTired(): boolean {
    return performance.now() - this.since > longestTurn;
  }

  /** Lets other requests go on. The stored objects may be others afterwards. */
  async rest(): Promise<void> {
    await nextTurn();
    this.since = performance.now();
  }

  /** Carries out the steps in this turn, and returns a promise only if they take longer or wait. */
  run<T>(steps: Steps<T>): T | Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (value) return value.then(() => this.run(steps));
      if (this.isTired) return this.rest().then(() => this.run(steps));
    }
  }
}

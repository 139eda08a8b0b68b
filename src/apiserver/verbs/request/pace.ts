import { setImmediate as nextTurn } from "node:timers/promises";

/** The time in milliseconds for which a request may keep others waiting. */
const longestTurn = 20;

/** The turns of the event loop that a request takes: one, unless its object is large. */
export class Pace {
  private since = performance.now();

  /** Lets other requests go on if this one has taken long. The stored objects may be others afterwards. */
  async pause(): Promise<void> {
    if (performance.now() - this.since < longestTurn) return;
    await nextTurn();
    this.since = performance.now();
  }
}

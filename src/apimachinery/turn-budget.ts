import { setImmediate as nextTurn } from "node:timers/promises";

/** The time in milliseconds for which a request may keep others waiting. */
const longestTurn = 20;

/** The processor time that a request takes in one turn of the event loop. */
export class TurnBudget {
  private since = performance.now();

  /** Lets other requests go on if the budget is used up. The stored objects may be others afterwards. */
  rest(): Promise<void> | undefined {
    return performance.now() - this.since > longestTurn ? this.takeTurn() : undefined;
  }

  private async takeTurn(): Promise<void> {
    await nextTurn();
    this.since = performance.now();
  }
}

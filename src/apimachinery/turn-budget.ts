import { setImmediate as nextTurn } from "node:timers/promises";

/** The time in milliseconds for which a request may keep others waiting. */
const longestTurn = 20;
/** The processor time that a request takes in one turn of the event loop. */
export class TurnBudget {
  private end = performance.now() + longestTurn;

  /** Lets other requests go on if the budget is used up. The stored objects may be others afterwards. */
  rest(): Promise<void> | undefined {
    return performance.now() > this.end ? this.takeTurn(longestTurn) : undefined;
  }

  /**
   * Lets other requests go on, and then takes a turn without an end for the next attempt: it would lose the next race, too,
   * if the writes of others came between its stages. The size of objects limits the time that an attempt takes.
   */
  restAfterRace(): Promise<void> {
    return this.takeTurn(Infinity);
  }

  private async takeTurn(length: number): Promise<void> {
    await nextTurn();
    this.end = performance.now() + length;
  }
}

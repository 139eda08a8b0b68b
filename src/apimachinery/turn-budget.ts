import { setImmediate as nextTurn } from "node:timers/promises";

/** The time in milliseconds for which a request may keep others waiting. */
const longestTurn = 20;
/** The same for a request that has lost a race: it loses the next one, too, if others go on between its stages. */
const longestTurnAfterRace = 200;

/** The processor time that a request takes in one turn of the event loop. */
export class TurnBudget {
  private end = performance.now() + longestTurn;

  /** Lets other requests go on if the budget is used up. The stored objects may be others afterwards. */
  rest(): Promise<void> | undefined {
    return performance.now() > this.end ? this.takeTurn(longestTurn) : undefined;
  }

  /** Lets other requests go on, and starts a longer turn of its own, in which their writes do not come between. */
  restAfterRace(): Promise<void> {
    return this.takeTurn(longestTurnAfterRace);
  }

  private async takeTurn(length: number): Promise<void> {
    await nextTurn();
    this.end = performance.now() + length;
  }
}

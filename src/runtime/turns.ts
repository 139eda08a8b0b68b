/** Short enough not to delay timers, sockets and probes noticeably. */
const sliceMs = 5;

/** The time of loops over many objects, which all loops of a manager share, as they share the event loop. */
export class Turns {
  private turn: Promise<void> | undefined;
  private sliceEnd = 0;

  /** Returns `undefined` while there is time left, else a promise to await, so that the rest of the program gets its turn. */
  next(): Promise<void> | undefined {
    if (this.turn || performance.now() < this.sliceEnd) return this.turn;
    this.turn = new Promise((resolve) => {
      setImmediate(() => {
        this.turn = undefined;
        this.sliceEnd = performance.now() + sliceMs;
        resolve();
      });
    });
    return this.turn;
  }
}

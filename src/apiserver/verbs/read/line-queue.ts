/** The most waiting lines. A client that does not read them has to list again. */
const longestBacklog = 20_000;

/** A queue of lines from a producer that never waits to one consumer. */
export class LineQueue implements AsyncIterable<string> {
  private lines: string[] = [];
  private ended = false;
  private wake: (() => void) | undefined;
  private cleanUp: (() => void) | undefined;

  push(line: string): void {
    if (this.ended) return;
    if (this.lines.length >= longestBacklog) this.end();
    else this.lines.push(line);
    this.wake?.();
  }

  /** Ends the queue after the lines that were pushed before. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.cleanUp?.();
    this.wake?.();
  }

  /** Calls back once when the queue ends. */
  onEnd(cleanUp: () => void): void {
    if (this.ended) cleanUp();
    else this.cleanUp = cleanUp;
  }

  /** Yields all waiting lines as one chunk. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      for (;;) {
        if (this.lines.length) {
          const chunk = this.lines.length === 1 ? this.lines[0]! : this.lines.join("");
          this.lines = [];
          yield chunk;
        } else if (this.ended) return;
        else await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      this.end();
    }
  }
}

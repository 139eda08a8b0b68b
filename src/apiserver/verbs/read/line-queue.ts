import { setImmediate as nextTurn } from "node:timers/promises";

/** The most waiting lines of changes, and the most characters in them. A client that does not read them has to list again. */
const longestBacklog = 20_000;
const largestBacklog = 32 * 1024 * 1024;
/** Lines that are one chunk: the text of all objects may be longer than a string can be. */
const chunkLines = 1_000;

/** A queue of lines from a producer that never waits to one consumer. */
export class LineQueue implements AsyncIterable<string> {
  private lines: string[] = [];
  private most = Infinity;
  private size = 0;
  private mostSize = Infinity;
  private ended = false;
  private wake: (() => void) | undefined;
  private cleanUp: (() => void) | undefined;

  push(line: string): void {
    if (this.ended) return;
    this.size += line.length;
    if (this.lines.length >= this.most || this.size > this.mostSize) this.end();
    // A literal is as large as it must be; the first push into an empty array makes room for 16 more.
    else if (this.lines.length === 0) this.lines = [line];
    else this.lines.push(line);
    this.wake?.();
  }

  /** Limits the lines from now on. Those that wait already, the initial state, are sent however many they are. */
  limit(): void {
    this.most = this.lines.length + longestBacklog;
    this.mostSize = this.size + largestBacklog;
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

  /** Yields the waiting lines, many in a chunk: those of a turn of the event loop are sent together. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      for (;;) {
        if (this.lines.length) {
          const { lines } = this;
          this.lines = [];
          this.size = 0;
          if (this.most < Infinity) [this.most, this.mostSize] = [longestBacklog, largestBacklog];
          if (lines.length <= chunkLines) yield lines.length === 1 ? lines[0]! : lines.join("");
          else for (let at = 0; at < lines.length; at += chunkLines) yield lines.slice(at, at + chunkLines).join("");
        } else if (this.ended) return;
        else {
          await new Promise<void>((resolve) => (this.wake = resolve));
          // The response to the request that changed an object is written at the end of its turn, and goes first: its
          // client sends the next request while the watchers get their lines.
          await nextTurn();
          await nextTurn();
        }
      }
    } finally {
      this.end();
    }
  }
}

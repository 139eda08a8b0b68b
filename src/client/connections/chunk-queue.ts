/** The size of unread data from which on the sender is paused. */
const highWaterMark = 256 * 1024;

/** The control of a queue over its source. */
export interface ChunkSource {
  pause(): void;
  resume(): void;
  /** Called if the consumer stops reading. */
  stop(): void;
}

/** A body between the socket and its reader: all data since the last read is one chunk. */
export class ChunkQueue {
  private readonly source: ChunkSource;
  private chunks: Buffer[] = [];
  private size = 0;
  private paused = false;
  private ended: { readonly error?: Error } | undefined;
  private wake = (): void => undefined;

  constructor(source: ChunkSource) {
    this.source = source;
  }

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.size >= highWaterMark && !this.paused) {
      this.paused = true;
      this.source.pause();
    }
    this.wake();
  }

  /** Ends the queue. The first end counts. */
  end(error?: Error): void {
    this.ended ??= error ? { error } : {};
    this.wake();
  }

  /** Yields the data. Leaving the loop stops the source; an error at the end is thrown as worded by `failed`. */
  async *read(failed: (error: Error) => Error): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const ready = this.chunks;
        this.chunks = [];
        this.size = 0;
        if (ready.length > 0) yield ready.length === 1 ? ready[0]! : Buffer.concat(ready);
        if (this.chunks.length > 0) continue;
        if (this.ended?.error) throw failed(this.ended.error);
        if (this.ended) return;
        if (this.paused) {
          this.paused = false;
          this.source.resume();
        }
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    } finally {
      this.source.stop();
    }
  }
}

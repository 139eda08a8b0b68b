/** A consumer that is this far behind makes the sender wait. */
const highWaterMark = 256 * 1024;

/** What a queue may tell the one that fills it. */
export interface ChunkSource {
  pause(): void;
  resume(): void;
  /** Nobody reads on. */
  stop(): void;
}

/** A body on its way to its reader: what has piled up since his last look is one chunk. */
export class ChunkQueue {
  readonly #source: ChunkSource;
  #chunks: Buffer[] = [];
  #size = 0;
  #paused = false;
  #ended: { readonly error?: Error } | undefined;
  #wake = (): void => undefined;

  constructor(source: ChunkSource) {
    this.#source = source;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size >= highWaterMark && !this.#paused) {
      this.#paused = true;
      this.#source.pause();
    }
    this.#wake();
  }

  /** The first end counts. */
  end(error?: Error): void {
    this.#ended ??= error ? { error } : {};
    this.#wake();
  }

  /** Leaving the loop stops the source; an end by an error is thrown, as `failed` words it. */
  async *read(failed: (error: Error) => Error): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const ready = this.#chunks;
        this.#chunks = [];
        this.#size = 0;
        if (ready.length > 0) yield ready.length === 1 ? ready[0]! : Buffer.concat(ready);
        if (this.#chunks.length > 0) continue;
        if (this.#ended?.error) throw failed(this.#ended.error);
        if (this.#ended) return;
        if (this.#paused) {
          this.#paused = false;
          this.#source.resume();
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.#source.stop();
    }
  }
}

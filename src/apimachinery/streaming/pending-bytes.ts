/** Bytes that wait for the rest of their frame. However small its pieces are, a frame is joined once. */
export class PendingBytes {
  private chunks: Buffer[] = [];
  private size = 0;

  get length(): number {
    return this.size;
  }

  add(chunk: Buffer): void {
    if (chunk.length > 0) this.chunks.push(chunk);
    this.size += chunk.length;
  }

  /** Returns the first bytes, of which there may be fewer than asked for, and keeps them. */
  peek(size: number): Buffer {
    return this.first(Math.min(size, this.size)).subarray(0, size);
  }

  /** Returns the first bytes, of which there must be enough, and removes them. */
  take(size: number): Buffer {
    const first = this.first(size);
    this.size -= size;
    if (size < first.length) this.chunks[0] = first.subarray(size);
    else this.chunks.shift();
    return first.subarray(0, size);
  }

  private first(size: number): Buffer {
    if ((this.chunks[0]?.length ?? 0) < size) this.chunks = [Buffer.concat(this.chunks)];
    return this.chunks[0] ?? Buffer.alloc(0);
  }
}

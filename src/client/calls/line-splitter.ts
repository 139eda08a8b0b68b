import { TsopError } from "../../errors/tsop-error.ts";

const newline = 10;
/** Far above the largest object in etcd (1.5 MiB), and small enough that a broken stream does not fill the memory. */
const defaultLimit = 64 * 1024 * 1024;

/** Splits a stream of bytes into lines. Works on bytes, so that a character split between two chunks stays intact. */
export class LineSplitter {
  private readonly limit: number;
  private rest: Buffer[] = [];
  private restLength = 0;

  constructor(limit: number = defaultLimit) {
    this.limit = limit;
  }

  /**
   * Returns the lines that this chunk completes, without line ends and without empty lines. They can share its memory.
   */
  push(chunk: Uint8Array): Buffer[] {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = buffer.indexOf(newline); end >= 0; end = buffer.indexOf(newline, start)) {
      const line = this.take(buffer.subarray(start, end));
      if (line.length > 0) lines.push(line);
      start = end + 1;
    }
    if (start < buffer.length) this.keep(buffer.subarray(start));
    return lines;
  }

  private take(end: Buffer): Buffer {
    if (this.restLength === 0) return end;
    const line = Buffer.concat([...this.rest, end]);
    this.rest = [];
    this.restLength = 0;
    return line;
  }

  private keep(part: Buffer): void {
    this.restLength += part.length;
    if (this.restLength > this.limit) throw new TsopError("TSOP_WATCH_LINE_TOO_LONG", { limit: this.limit });
    this.rest.push(part);
  }
}

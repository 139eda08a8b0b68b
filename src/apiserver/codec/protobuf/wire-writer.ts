const smallest = 16 * 1024;
const largestKept = 64 * smallest;

/**
 * Writes a message from its end to its beginning, so that the length of a part is known when it is written. The last
 * call writes the first bytes.
 */
export class WireWriter {
  private bytes: Buffer = Buffer.allocUnsafe(smallest);
  private at = smallest;

  /** The number of bytes written. */
  get size(): number {
    return this.bytes.length - this.at;
  }

  /** Returns all bytes, each as a character. */
  toText(): string {
    return this.bytes.toString("latin1", this.at);
  }

  /** Discards all bytes. */
  clear(): void {
    if (this.bytes.length > largestKept) this.bytes = Buffer.allocUnsafe(smallest);
    this.at = this.bytes.length;
  }

  number(field: number, value: number | bigint): void {
    this.varint(value);
    this.varint(field * 8);
  }

  float(field: number, value: number): void {
    this.reserve(8);
    this.bytes.writeDoubleLE(value, (this.at -= 8));
    this.varint(field * 8 + 1);
  }

  text(field: number, value: string, encoding: "utf8" | "latin1" | "base64" = "utf8"): void {
    const length = Buffer.byteLength(value, encoding);
    this.reserve(length);
    this.bytes.write(value, (this.at -= length), length, encoding);
    this.varint(length);
    this.varint(field * 8 + 2);
  }

  /** Turns the bytes that were written after the first `size` ones into a message. */
  message(field: number, size: number): void {
    this.varint(this.size - size);
    this.varint(field * 8 + 2);
  }

  /** Writes the length of all bytes, as streams of messages have it. */
  frame(): void {
    const { size } = this;
    this.reserve(4);
    this.bytes.writeUInt32BE(size, (this.at -= 4));
  }

  /** Writes bytes without a field. */
  prefix(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, (this.at -= bytes.length));
  }

  private varint(value: number | bigint): void {
    if (typeof value === "bigint" || value < 0 || value > 0x7fff_ffff) {
      this.longVarint(BigInt.asUintN(64, BigInt(value)));
      return;
    }
    const length = value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
    this.reserve(length);
    let at = (this.at -= length);
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) this.bytes[at++] = (rest & 0x7f) | 0x80;
    this.bytes[at] = rest;
  }

  private longVarint(value: bigint): void {
    const bytes: number[] = [];
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
    this.prefix(Uint8Array.from(bytes));
  }

  private reserve(length: number): void {
    if (length <= this.at) return;
    const { size } = this;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, size + length));
    this.bytes.copy(larger, larger.length - size, this.at);
    this.bytes = larger;
    this.at = larger.length - size;
  }
}

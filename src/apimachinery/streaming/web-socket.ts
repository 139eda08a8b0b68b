import { createHash, randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import { PendingBytes } from "./pending-bytes.ts";

/** Returns the value of `Sec-WebSocket-Accept` for a client's key. */
export function webSocketAccept(key: string): string {
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}

const [continuation, text, binary, close, ping, pong] = [0, 1, 2, 8, 9, 10];
const largestMessage = 32 * 1024 * 1024;
/** Twice as many as the largest message has in the usual size of 4 KiB. */
const mostFragments = 16_384;
const largestControl = 125;
const longestHead = 14;

export interface WebSocketListener {
  onMessage(message: Buffer): void;
  onEnd(): void;
  /** The end that opened the connection masks its frames. */
  readonly isClient?: boolean;
}

/** One end of a WebSocket: messages over an upgraded connection. */
export class WebSocketPeer {
  private readonly socket: Duplex;
  private readonly isClient: boolean;
  private readonly pending = new PendingBytes();
  private parts: Buffer[] = [];
  private partsSize = 0;
  private isClosing = false;
  private readonly onMessage: (message: Buffer) => void;

  /** Calls `onMessage` with each message, and `onEnd` once after the last one. */
  constructor(socket: Duplex, head: Buffer, listener: WebSocketListener) {
    this.socket = socket;
    this.isClient = listener.isClient ?? false;
    this.onMessage = (message) => listener.onMessage(message);
    socket.on("data", (chunk: Buffer) => this.read(chunk));
    socket.on("error", () => socket.destroy());
    socket.once("end", () => socket.end());
    socket.once("close", () => listener.onEnd());
    if (head.length > 0) this.read(head);
    socket.resume();
  }

  /** Sends a message, binary or text; `done` is called when the connection takes more. */
  send(message: Uint8Array | string, done: () => void = () => {}): void {
    if (this.isClosing || this.socket.writableEnded || this.socket.destroyed) return done();
    const frame = typeof message === "string" ? this.frame(text, Buffer.from(message)) : this.frame(binary, message);
    this.socket.write(frame, () => done());
  }

  /** Says goodbye and closes the connection. */
  close(code = 1000): void {
    if (this.isClosing) return;
    this.isClosing = true;
    this.socket.end(this.frame(close, Buffer.from([code >> 8, code & 255])));
  }

  private frame(opcode: number, message: Uint8Array): Buffer {
    const { length } = message;
    const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
    head[0] = 128 | opcode;
    head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
    if (head[1] === 126) head.writeUInt16BE(length, 2);
    if (head[1] === 127) head.writeBigUInt64BE(BigInt(length), 2);
    if (!this.isClient) return Buffer.concat([head, message]);
    head[1] |= 128;
    const [mask, payload] = [randomBytes(4), Buffer.from(message)];
    applyMask(payload, mask);
    return Buffer.concat([head, mask, payload]);
  }

  private read(chunk: Buffer): void {
    if (this.isClosing) return;
    this.pending.add(chunk);
    for (let head = parseHead(this.pending); head; head = parseHead(this.pending)) {
      if (head.length > largestMessage) return this.close(1009);
      if (this.pending.length < head.size + head.length) return;
      const { mask } = head;
      this.pending.take(head.size);
      // A copy, because the mask changes it and the chunk is large.
      const payload = Buffer.from(this.pending.take(head.length));
      if (mask) applyMask(payload, mask);
      this.take(head, payload);
      if (this.isClosing) return;
    }
  }

  private take({ opcode, isFinal }: FrameHead, payload: Buffer): void {
    if (opcode >= close && payload.length > largestControl) return this.close(1002);
    // Pings of a client that does not read the answers need none.
    if (opcode === ping) return void (this.socket.writableNeedDrain || this.socket.write(this.frame(pong, payload)));
    if (opcode === close) return this.close();
    if (opcode !== continuation && opcode !== text && opcode !== binary) return;
    this.parts.push(payload);
    this.partsSize += payload.length;
    if (this.partsSize > largestMessage || this.parts.length > mostFragments) return this.close(1009);
    if (!isFinal) return;
    const message = this.parts.length === 1 ? payload : Buffer.concat(this.parts);
    [this.parts, this.partsSize] = [[], 0];
    this.onMessage(message);
  }
}

interface FrameHead {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly mask: Buffer | undefined;
  /** The bytes of the head. */
  readonly size: number;
  /** The bytes after the head. */
  readonly length: number;
}

/** Parses the head of the first frame; `undefined` if it is incomplete. */
function parseHead(pending: PendingBytes): FrameHead | undefined {
  const bytes = pending.peek(longestHead);
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const short = second & 127;
  const lengthSize = short === 127 ? 8 : short === 126 ? 2 : 0;
  const maskAt = 2 + lengthSize;
  const isMasked = (second & 128) !== 0;
  const size = maskAt + (isMasked ? 4 : 0);
  if (bytes.length < size) return undefined;
  const length = lengthSize === 8 ? Number(bytes.readBigUInt64BE(2)) : lengthSize === 2 ? bytes.readUInt16BE(2) : short;
  const mask = isMasked ? bytes.subarray(maskAt, size) : undefined;
  return { opcode: first & 15, isFinal: (first & 128) !== 0, mask, size, length };
}

/** Applies a mask to bytes, or takes it off again. */
function applyMask(bytes: Buffer, mask: Uint8Array): void {
  for (let index = 0; index < bytes.length; index++) bytes[index]! ^= mask[index & 3]!;
}

import { Duplex } from "node:stream";
import { PendingBytes } from "../../apimachinery/streaming/pending-bytes.ts";
import { EmptyHeaderWriter, HeaderReader } from "./spdy-headers.ts";

const [synStream, synReply, rstStream, ping, goAway, windowUpdate] = [1, 2, 3, 6, 7, 9];
const finFlag = 1;
const version = 0x8003;
/** The most bytes of a stream that wait for their reader. */
const mostHeld = 1024 * 1024;
/** Bytes after which a window is opened again; the first window of SPDY/3.1 is twice as large. */
const windowStep = 32 * 1024;
/** The most streams that are open at a time; a client of port-forward opens two for each connection. */
const mostStreams = 1_000;
const refusedStream = 3;
/** The id of frames that belong to the connection, and to no stream. */
const connection = 0;

/** A stream that a client has opened, with the headers that state its purpose. */
export interface SpdyStream {
  readonly headers: ReadonlyMap<string, string>;
  readonly data: Duplex;
}

/**
 * The server's end of a SPDY/3.1 connection: streams in both directions over one, as Kubernetes clients use it for exec
 * and port-forward. A client gets window for what has been read. The clients in Go know no windows, so that an unread
 * stream holds up the connection, as at a kubelet. Priorities are ignored.
 */
export class SpdySession {
  private readonly channel: Duplex;
  private readonly onStream: (stream: SpdyStream) => void;
  private readonly headers = new HeaderReader();
  private readonly replies = new EmptyHeaderWriter();
  private readonly streams = new Map<number, Duplex>();
  /** Bytes by stream for which the client has no window yet. */
  private readonly taken = new Map<number, number>();
  private isClosing = false;
  /** Continues with the frames that wait for a reader. */
  private resume = (): void => {};

  constructor(channel: Duplex, onStream: (stream: SpdyStream) => void) {
    this.channel = channel;
    this.onStream = onStream;
  }

  /** Reads frames until the connection ends, then ends all streams. */
  async run(): Promise<void> {
    this.channel.once("close", () => {
      this.headers.close();
      this.resume();
    });
    this.channel.on("drain", () => this.resume());
    const pending = new PendingBytes();
    try {
      for await (const chunk of this.channel as AsyncIterable<Buffer>) {
        pending.add(chunk);
        for (let size = frameSize(pending); size <= pending.length; size = frameSize(pending))
          await this.take(pending.take(size));
        await this.untilWritten();
      }
    } finally {
      this.headers.close();
      for (const stream of this.streams.values()) stream.destroy();
      this.channel.destroy();
    }
  }

  /** Announces the end of the stream to the client, and closes the connection. */
  close(): void {
    this.isClosing = true;
    this.resume();
    if (this.channel.writable) this.channel.end(control(goAway, Buffer.alloc(8)));
  }

  /** Waits for a client that does not read the answers to its frames. */
  private async untilWritten(): Promise<void> {
    while (this.channel.writableNeedDrain && !this.isOver) await this.untilResumed();
  }

  private untilResumed(): Promise<void> {
    return new Promise((resolve) => (this.resume = resolve));
  }

  private get isOver(): boolean {
    return this.isClosing || this.channel.destroyed;
  }

  private async take(frame: Buffer): Promise<void> {
    const [head, flags, body] = [frame.readUInt16BE(0), frame[4] ?? 0, frame.subarray(8)];
    if ((head & 0x8000) === 0) return this.receive(frame.readUInt32BE(0), flags, Buffer.from(body));
    const type = frame.readUInt16BE(2);
    if (type === synStream) return this.open(body.readUInt32BE(0), flags, body.subarray(10));
    if (type === rstStream) this.streams.get(body.readUInt32BE(0))?.destroy();
    if (type === ping) this.channel.write(control(ping, body));
  }

  private async open(id: number, flags: number, block: Buffer): Promise<void> {
    const headers = await this.headers.read(block);
    if (this.streams.has(id)) throw new Error(`stream ${id} is open`);
    if (this.streams.size >= mostStreams) {
      this.channel.write(control(rstStream, Buffer.concat([numberOf(id), numberOf(refusedStream)])));
      return;
    }
    const data = this.createStream(id);
    this.streams.set(id, data);
    data.once("close", () => {
      this.streams.delete(id);
      this.taken.delete(id);
      this.resume();
    });
    data.on("error", () => {});
    if (flags & finFlag) data.push(null);
    this.channel.write(control(synReply, Buffer.concat([numberOf(id), this.replies.write()])));
    this.onStream({ headers, data });
  }

  private async receive(id: number, flags: number, body: Buffer): Promise<void> {
    this.grant(connection, body.length);
    const stream = this.streams.get(id);
    if (!stream || stream.readableEnded || stream.destroyed || this.isClosing) return;
    this.taken.set(id, (this.taken.get(id) ?? 0) + body.length);
    if (body.length > 0) stream.push(body);
    if (flags & finFlag) stream.push(null);
    // Another stream, too, may have resumed.
    while (stream.readableLength >= mostHeld && !stream.destroyed && !this.isOver) await this.untilResumed();
  }

  /** Opens the window of a stream by the bytes that were taken, if they are worth a frame. */
  private grant(id: number, more = 0): void {
    const size = (this.taken.get(id) ?? 0) + more;
    const isWorthIt = size >= windowStep && this.channel.writable;
    this.taken.set(id, isWorthIt ? 0 : size);
    if (isWorthIt) this.channel.write(control(windowUpdate, Buffer.concat([numberOf(id), numberOf(size)])));
  }

  private createStream(id: number): Duplex {
    const send = (flags: number, body: Uint8Array, done: () => void): void => {
      if (!this.channel.writable) return done();
      const head = Buffer.alloc(8);
      head.writeUInt32BE(id);
      head.writeUInt32BE(flags * 0x1000000 + body.length, 4);
      this.channel.write(Buffer.concat([head, body]), () => done());
    };
    return new Duplex({
      readableHighWaterMark: mostHeld,
      // Called when less than the most is held.
      read: () => {
        this.grant(id);
        this.resume();
      },
      write: (chunk: Uint8Array, _encoding, done) => send(0, chunk, done),
      final: (done) => send(finFlag, Buffer.alloc(0), done),
    });
  }
}

/** Returns the bytes of the first frame; more than there can be if its head is incomplete. */
function frameSize(pending: PendingBytes): number {
  return pending.length < 8 ? Infinity : 8 + pending.peek(8).readUIntBE(5, 3);
}

function control(type: number, body: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(version);
  head.writeUInt16BE(type, 2);
  head.writeUInt32BE(body.length, 4);
  return Buffer.concat([head, body]);
}

function numberOf(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

import { Duplex } from "node:stream";
import { PendingBytes } from "../../apimachinery/streaming/pending-bytes.ts";
import { createInflate, type Inflate } from "node:zlib";

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
interface SpdyStream {
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

/** The words of the compression dictionary of SPDY/3. Each is preceded by its length. */
const words = [
  "options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow",
  "authorization cache-control connection content-base content-encoding content-language content-length",
  "content-location content-md5 content-range content-type date etag expect expires from host if-match",
  "if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma",
  "proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade",
  "user-agent vary via warning www-authenticate method get status",
]
  .join(" ")
  .split(" ");

/** The end of the dictionary: values of headers, without lengths. */
const values = [
  "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505",
  "203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized",
  "403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service Unavailable",
  "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT",
  "chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,",
  "text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.",
].join("");

/** Returns the dictionary, which both ends of a connection compress their headers with. */
export function spdyDictionary(): Buffer {
  const sized = (text: string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([length, Buffer.from(text, "latin1")]);
  };
  const listed = [...words, "200 OK", "version", "HTTP/1.1", "url", "public", "set-cookie", "keep-alive", "origin"];
  return Buffer.concat([...listed.map(sized), Buffer.from(values, "latin1")]);
}

/** The size of a block that no client needs, compressed or not. */
const tooLarge = 64 * 1024;

/** Decompresses the header blocks of one direction of a connection, which are one stream. */
class HeaderReader {
  private readonly inflate: Inflate = createInflate({ dictionary: spdyDictionary() });
  private chunks: Buffer[] = [];
  private size = 0;
  /** Rejects the block that is being read. */
  private fail: (error: Error) => void = () => {};

  constructor() {
    // An error without a listener would end the process.
    this.inflate.on("error", (error) => this.fail(error));
    this.inflate.on("close", () => this.fail(new Error("the connection has ended")));
    this.inflate.on("data", (chunk: Buffer) => {
      this.size += chunk.length;
      if (this.size >= tooLarge) this.inflate.destroy(new Error("the headers are too large"));
      else this.chunks.push(chunk);
    });
  }

  /** Reads a block. Names are in lower case. */
  async read(block: Uint8Array): Promise<Map<string, string>> {
    if (block.length >= tooLarge) throw new Error("the headers are too large");
    [this.chunks, this.size] = [[], 0];
    await new Promise<void>((resolve, reject) => {
      this.fail = reject;
      this.inflate.write(block, (error) => {
        const cause = error ?? this.inflate.errored;
        if (cause) reject(cause);
        else resolve();
      });
    });
    return parseBlock(Buffer.concat(this.chunks));
  }

  close(): void {
    this.inflate.destroy();
  }
}

function parseBlock(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let offset = 4;
  const next = (): string => {
    const length = bytes.readUInt32BE(offset);
    offset += 4 + length;
    return bytes.toString("utf8", offset - length, offset);
  };
  for (let count = bytes.readUInt32BE(0); count > 0; count--) headers.set(next().toLowerCase(), next());
  return headers;
}

/** Writes empty header blocks. They are stored, not compressed, so that nothing is asynchronous. */
class EmptyHeaderWriter {
  private isFirst = true;

  write(): Buffer {
    const zlibHeader = this.isFirst ? [0x78, 0x01] : [];
    this.isFirst = false;
    const noHeaders = [0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0];
    // Decompressors pass on their output at an empty block.
    const flush = [0, 0, 0, 0xff, 0xff];
    return Buffer.from([...zlibHeader, ...noHeaders, ...flush]);
  }
}

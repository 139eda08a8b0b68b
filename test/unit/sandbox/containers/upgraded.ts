import { request } from "node:https";
import type { Duplex } from "node:stream";
import { constants, createDeflate } from "node:zlib";
import { spdyDictionary } from "../../../../src/apiserver/streaming/spdy-session.ts";
import type { ClientConfig } from "../../../../src/client/config/config.ts";

export interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
  /** The connection, if the server has agreed. */
  readonly socket?: Duplex;
}

/** Sends a request that asks for another protocol. */
export function upgrade(
  { server, ca, token }: ClientConfig,
  path: string,
  { method = "POST", headers = {} }: { method?: string; headers?: Record<string, string | string[]> },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { method, ca, headers: { authorization: `Bearer ${token}`, ...headers } };
    const sent = request(`${server}${path}`, options);
    sent.once("upgrade", ({ statusCode = 0, headers: answered }, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      resolve({ status: statusCode, headers: answered, body: "", socket });
    });
    sent.once("response", (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      response.once("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.once("error", reject).end();
  });
}

/** The headers of a WebSocket with a subprotocol. */
export function webSocketHeaders(protocol: string): Record<string, string> {
  return {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-protocol": protocol,
  };
}

/** The headers of a SPDY connection with a protocol for its streams. */
export function spdyHeaders(protocol: string): Record<string, string> {
  return { connection: "Upgrade", upgrade: "SPDY/3.1", "x-stream-protocol-version": protocol };
}

/** Sends a masked message, as clients must. */
export function sendMessage(socket: Duplex, message: Uint8Array, opcode = 2): void {
  const mask = Buffer.from([1, 2, 3, 4]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(message.length));
  const masked = Buffer.from(message.map((byte, index) => byte ^ mask[index & 3]!));
  socket.write(Buffer.concat([Buffer.from([128 | opcode, 128 | 127]), length, mask, masked]));
}

/** Reads the messages of a server until it closes the connection. */
export async function readMessages(socket: Duplex): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const messages: Buffer[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const short = bytes[offset + 1]!;
    const size = short === 127 ? 8 : short === 126 ? 2 : 0;
    const start = offset + 2 + size;
    const length =
      size === 8 ? Number(bytes.readBigUInt64BE(offset + 2)) : size === 2 ? bytes.readUInt16BE(offset + 2) : short;
    if ((bytes[offset]! & 15) === 2) messages.push(bytes.subarray(start, start + length));
    offset = start + length;
  }
  return messages;
}

/** Joins the messages of a channel. */
export function textOf(messages: readonly Buffer[], channel: number): string {
  return Buffer.concat(
    messages.filter(([first]) => first === channel).map((message) => message.subarray(1)),
  ).toString();
}

/** The client's end of a SPDY connection. */
export class SpdyClient {
  private readonly socket: Duplex;
  private readonly deflate = createDeflate({ dictionary: spdyDictionary() });
  private next = 1;

  constructor(socket: Duplex) {
    this.socket = socket;
  }

  /** Opens a stream with headers; returns its number. */
  async open(headers: Record<string, string>): Promise<number> {
    const id = this.next;
    this.next += 2;
    const sized = (text: string): Buffer => Buffer.concat([numberOf(text.length), Buffer.from(text)]);
    const entries = Object.entries(headers);
    const block = Buffer.concat([numberOf(entries.length), ...entries.flat().map(sized)]);
    await new Promise<void>((resolve) =>
      this.deflate.write(block, () => this.deflate.flush(constants.Z_SYNC_FLUSH, resolve)),
    );
    const compressed: Buffer[] = [];
    // From Node 26 on, a read returns one chunk of several.
    for (let chunk = this.deflate.read() as Buffer | null; chunk; chunk = this.deflate.read() as Buffer | null) {
      compressed.push(chunk);
    }
    const body = Buffer.concat([numberOf(id), Buffer.alloc(6), ...compressed]);
    this.socket.write(Buffer.concat([Buffer.from([0x80, 3, 0, 1]), numberOf(body.length), body]));
    return id;
  }

  /** Sends data, and by default nothing after it. */
  send(id: number, text: string, isLast = true): void {
    const body = Buffer.from(text);
    this.socket.write(Buffer.concat([numberOf(id), numberOf((isLast ? 0x1000000 : 0) + body.length), body]));
  }

  /** Reads until `isComplete`, or until the server closes the connection; returns the text of each stream. */
  async read(isComplete: (texts: ReadonlyMap<number, string>) => boolean = () => false): Promise<Map<number, string>> {
    const texts = new Map<number, string>();
    let pending = Buffer.alloc(0);
    for await (const chunk of this.socket) {
      pending = Buffer.concat([pending, chunk as Buffer]);
      while (pending.length >= 8 && pending.length >= 8 + pending.readUIntBE(5, 3)) {
        const size = 8 + pending.readUIntBE(5, 3);
        const id = pending.readUInt32BE(0);
        if (id < 0x80000000) texts.set(id, (texts.get(id) ?? "") + pending.toString("utf8", 8, size));
        pending = pending.subarray(size);
      }
      if (isComplete(texts)) break;
    }
    return texts;
  }
}

function numberOf(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

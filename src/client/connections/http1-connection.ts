import type { Socket } from "node:net";
import { idleConnectionMs, type PoolOptions, type PoolRequest } from "./connection-pool.ts";
import { lost } from "./lost.ts";
import { Http1AnswerReader, type Http1Answer } from "./http1-answer.ts";
import { onceOpen, type OpenSocket } from "./open-socket.ts";
import type { TransportResponse } from "../transport.ts";
import { writeRequest } from "./write-request.ts";

export interface Http1ConnectionOptions extends Pick<PoolOptions, "idleTimeoutMs"> {
  /** Called when it can take another request, or has closed. */
  readonly onChange: (connection: Http1Connection) => void;
}

/** The running request. */
interface Exchange {
  readonly request: PoolRequest;
  readonly resolve: (response: TransportResponse) => void;
  readonly reject: (error: unknown) => void;
  readonly bytes: Buffer;
  /** True if the system has taken all of it. */
  isSent: boolean;
  readonly deadline: ResponseDeadline;
}

/**
 * A kept connection for short requests, one after the other. Each is written as soon as the connection is open, and
 * resolves when its response is complete. Node's own client makes a stream of each request and response, which costs more than everything else that
 * an operator does in a burst of writes.
 */
export class Http1Connection {
  private readonly options: Http1ConnectionOptions;
  private readonly socket: Socket;
  private readonly reader = new Http1AnswerReader();
  private readonly abort = (): void => this.fail(new Error("the request was aborted"));
  private current: Exchange | undefined;
  private isConnected = false;
  private retired = false;

  constructor(open: OpenSocket, options: Http1ConnectionOptions) {
    this.options = options;
    this.socket = open((bytes) => this.read(bytes));
    this.socket
      .on("timeout", () => this.fail(new Error(`no response within ${options.idleTimeoutMs / 1000} s`)))
      .on("error", (error) => this.fail(error))
      .on("close", () => this.closed());
    onceOpen(this.socket, () => {
      this.isConnected = true;
      if (this.current) this.write(this.current);
    });
  }

  get isOpen(): boolean {
    return !this.retired && this.socket.writable;
  }

  /** Sends a request; `bytes` is its encoding. */
  exchange(request: PoolRequest, bytes: Buffer): Promise<TransportResponse> {
    const socket = this.socket;
    return new Promise((resolve, reject) => {
      const deadline = new ResponseDeadline(this.options.idleTimeoutMs);
      const exchange: Exchange = { request, resolve, reject, bytes, isSent: false, deadline };
      this.current = exchange;
      request.signal?.addEventListener("abort", this.abort);
      // It may have aborted while the connection opened.
      if (request.signal?.aborted) return this.abort();
      socket.ref();
      socket.setTimeout(this.options.idleTimeoutMs);
      if (this.isConnected) this.write(exchange);
    });
  }

  /** Rejects further requests; the running one may finish. */
  retire(): void {
    this.retired = true;
    if (!this.current) this.socket.destroy();
  }

  destroy(): void {
    this.fail(lost());
  }

  private write(exchange: Exchange): void {
    const { request, bytes } = exchange;
    writeRequest(this.socket, bytes, request.fence, (error) => {
      if (error) return void (this.current === exchange && this.fail(error));
      exchange.isSent = true;
      exchange.deadline.sent();
    });
  }

  private read(bytes: Buffer): void {
    // Unrequested bytes would be taken for the next response.
    if (!this.current) return this.fail(lost("the server sent bytes without a request"));
    const { deadline } = this.current;
    try {
      deadline.check(this.reader.isInBody);
      const answer = this.reader.push(bytes);
      if (answer) this.finish(answer);
    } catch (error) {
      this.fail(error);
    }
  }

  private closed(): void {
    const answer = this.reader.end();
    if (answer) this.finish(answer);
    else this.fail(lost());
  }

  private finish(answer: Http1Answer): void {
    const exchange = this.taken();
    const socket = this.socket;
    // A server that answers early may still read the body, or close.
    if (this.retired || !exchange?.isSent || !answer.keep) this.retire();
    else {
      // An idle connection must not keep the process alive.
      socket.unref();
      socket.setTimeout(idleMs(answer));
    }
    this.options.onChange(this);
    exchange?.resolve(new WholeResponse(answer, exchange.request.onReceived));
  }

  private fail(error: unknown): void {
    const exchange = this.taken();
    this.socket.destroy();
    this.options.onChange(this);
    exchange?.reject(error);
  }

  private taken(): Exchange | undefined {
    const current = this.current;
    current?.request.signal?.removeEventListener("abort", this.abort);
    this.current = undefined;
    return current;
  }
}

class WholeResponse implements TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  private readonly parts: readonly Buffer[];
  private readonly onReceived: PoolRequest["onReceived"];

  constructor({ status, headers, body }: Http1Answer, onReceived: PoolRequest["onReceived"]) {
    this.status = status;
    this.headers = headers;
    this.parts = body;
    this.onReceived = onReceived;
  }

  get body(): AsyncIterable<Uint8Array> {
    const parts = this.parts;
    return (async function* () {
      yield* parts;
    })();
  }

  text(): Promise<string> {
    const parts = this.parts;
    const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    this.onReceived?.(whole.length);
    return Promise.resolve(whole.toString());
  }
}

/** Encodes a complete request. */
export function encodeRequest({ method, path, headers, body }: PoolRequest, host: string): Buffer {
  let head = `${method} ${mustFit("path", path, /[^\x21-\xff]/)} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (const name in headers) {
    for (const value of [headers[name]!].flat())
      head += `${name}: ${mustFit(name, value, /[^\t\x20-\x7e\x80-\xff]/)}\r\n`;
  }
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  if (body !== undefined || (method !== "GET" && method !== "DELETE")) head += `content-length: ${length}\r\n`;
  head += "\r\n";
  const bytes = Buffer.allocUnsafe(head.length + length);
  bytes.write(head, "latin1");
  if (body !== undefined) bytes.write(body, head.length);
  return bytes;
}

/** Rejects a value with a line end, which would start another header or request. */
function mustFit(name: string, value: string, misfit: RegExp): string {
  if (misfit.test(value))
    throw Object.assign(new Error(`${name} contains an invalid character`), { code: "ERR_INVALID_CHAR" });
  return value;
}

/** Returns the server's idle timeout, less a second for data in transit. */
function idleMs({ headers }: Http1Answer): number {
  const [, seconds] = /\btimeout=(\d+)/.exec(headers["keep-alive"] ?? "") ?? [];
  return seconds === undefined
    ? idleConnectionMs
    : Math.min(idleConnectionMs, Math.max(1, Number(seconds) * 1000 - 1000));
}

/** The whole response may take this many times as long as silence. */
const wholeFactor = 10;

/**
 * The time limits of a short request whose server never falls silent, so that no timeout of its socket fires: for the
 * head, from the end of the request, and for the whole response.
 */
class ResponseDeadline {
  private readonly limitMs: number;
  private readonly started = performance.now();
  private sentAt = Infinity;

  constructor(limitMs: number) {
    this.limitMs = limitMs;
  }

  /** Starts the time for the head. */
  sent(): void {
    this.sentAt = performance.now();
  }

  /** Throws if bytes that have just come are too late. */
  check(isInBody: boolean): void {
    const now = performance.now();
    const whole = this.limitMs * wholeFactor;
    if (!isInBody && now - this.sentAt > this.limitMs) throw late(this.limitMs);
    if (now - this.started > whole) throw late(whole);
  }
}

function late(ms: number): Error {
  return Object.assign(new Error(`no complete response within ${ms / 1000} s`), { code: "ETIMEDOUT" });
}

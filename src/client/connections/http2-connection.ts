import { connect as connectHttp2, constants, type ClientHttp2Session, type ClientHttp2Stream } from "node:http2";
import { isIP, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import {
  autoSelectFamilyAttemptTimeout,
  defaultConnectTimeoutMs,
  hostOf,
  idleConnectionMs,
  keepAliveMs,
  type PoolRequest,
  type PoolOptions,
  type TlsSettings,
} from "./connection-pool.ts";
import { FencedSocket } from "./fenced-socket.ts";
import { lost } from "./lost.ts";
import { connectThroughProxy } from "./proxy-agent.ts";
import type { TransportResponse } from "../transport.ts";

export interface Http2Options extends PoolOptions {
  readonly tls: TlsSettings;
  /** The interval of pings on a quiet connection with running requests; the default is 30 seconds. */
  readonly pingMs?: number;
  /** The time limit for the answer to a ping; the default is 15 seconds. */
  readonly pingTimeoutMs?: number;
}

const { NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM } = constants;
/** Enough for a busy watch between two turns of the event loop; a slow reader blocks only its own stream. */
const streamWindow = 1024 * 1024;
const connectionWindow = 64 * 1024 * 1024;
const notProcessed = new Set(["ERR_HTTP2_GOAWAY_SESSION", "ERR_HTTP2_INVALID_SESSION", "TSOP_HTTP2_REFUSED"]);

/** The socket of a connection, and what stands before it if it carries fenced requests. */
interface Sockets {
  readonly socket: TLSSocket;
  readonly fenced: FencedSocket | undefined;
}

/** A connection that carries many requests at a time. */
export class Http2Connection {
  private readonly session: ClientHttp2Session;
  private readonly options: Http2Options;
  private readonly socket: TLSSocket;
  private readonly fenced: FencedSocket | undefined;
  private active = 0;

  private constructor(session: ClientHttp2Session, options: Http2Options, { socket, fenced }: Sockets) {
    this.session = session;
    this.options = options;
    this.socket = socket.unref();
    this.fenced = fenced;
    // Each request receives its own error; a session without requests has no receiver.
    session.on("error", () => undefined);
    session.setTimeout(idleConnectionMs, () => {
      if (this.active === 0) session.close();
    });
    this.keepAsking();
  }

  /**
   * Connects, through the proxy if there is one; returns `undefined` if the server requires HTTP/1.1. Only a connection
   * for fenced requests carries these.
   */
  static async open(options: Http2Options, isFenced: boolean): Promise<Http2Connection | undefined> {
    const socket = await secureSocket(options);
    if (socket.alpnProtocol !== "h2") {
      socket.destroy();
      return undefined;
    }
    const fenced = isFenced ? new FencedSocket(socket) : undefined;
    const settings = { enablePush: false, initialWindowSize: streamWindow };
    const session = connectHttp2(options.url.origin, {
      createConnection: () => fenced ?? socket,
      settings,
      maxSessionMemory: 256,
    });
    await settingsOf(session, options.connectTimeoutMs ?? defaultConnectTimeoutMs);
    session.setLocalWindowSize(connectionWindow);
    return new Http2Connection(session, options, { socket, fenced });
  }

  get isOpen(): boolean {
    return !this.session.closed && !this.session.destroyed;
  }

  get hasRoom(): boolean {
    return this.isOpen && this.active < (this.session.remoteSettings.maxConcurrentStreams ?? 100);
  }

  async exchange(request: PoolRequest): Promise<TransportResponse> {
    const { idleTimeoutMs: limit, url } = this.options;
    const { method, path, headers, body, signal, fence } = request;
    fence?.();
    const all = { ":method": method, ":path": path, ":authority": url.host, ...headers };
    const stream = this.session.request(all, { endStream: body === undefined, ...(signal ? { signal } : {}) });
    this.count(stream);
    if (fence && this.fenced) stream.once("close", this.fenced.hold(fence));
    return new Promise((resolve, reject) => {
      stream.once("response", (answer) => resolve(new Http2Response(stream, answer, request)));
      stream.on("error", (error) => reject(translateError(stream, error)));
      stream.once("close", () => reject(translateError(stream, lost())));
      if (!request.stream) {
        stream.setTimeout(limit, () => stream.destroy(new Error(`no response within ${limit / 1000} s`)));
      }
      if (body !== undefined) stream.end(body);
    });
  }

  /** Rejects new requests, and closes after the last one. */
  retire(): void {
    this.session.close();
  }

  destroy(): void {
    // Without an error, a truncated body would look complete.
    this.session.destroy(lost());
  }

  /** Counts requests: a connection without requests must not keep the process alive. */
  private count(stream: ClientHttp2Stream): void {
    if (this.active++ === 0) this.socket.ref();
    stream.once("close", () => {
      if (--this.active === 0) this.socket.unref();
    });
  }

  /** Sends pings, which detect a dead peer even if nothing is written. */
  private keepAsking(): void {
    const { pingMs = 30_000, pingTimeoutMs = 15_000 } = this.options;
    const session = this.session;
    const timer = setInterval(() => {
      if (this.active === 0 || !this.isOpen) return;
      const late = setTimeout(() => session.destroy(lost("no response to a ping")), pingTimeoutMs);
      late.unref();
      session.ping(() => clearTimeout(late));
    }, pingMs);
    timer.unref();
    session.once("close", () => clearInterval(timer));
  }
}

/** Reports whether the server cannot have processed the request. */
export function isNotProcessed(error: unknown): boolean {
  return notProcessed.has((error as NodeJS.ErrnoException | undefined)?.code ?? "");
}

class Http2Response implements TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  private readonly stream: ClientHttp2Stream;
  private readonly request: Pick<PoolRequest, "failed" | "onReceived">;

  constructor(
    stream: ClientHttp2Stream,
    headers: Readonly<Record<string, string | string[] | undefined>> & { ":status"?: number | undefined },
    request: Pick<PoolRequest, "failed" | "onReceived">,
  ) {
    const { ":status": status, ...rest } = headers;
    this.status = status ?? 0;
    this.headers = rest;
    this.stream = stream;
    this.request = request;
  }

  get body(): AsyncIterable<Uint8Array> {
    return chunksOf(this.stream, this.request.failed);
  }

  async text(): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.body) chunks.push(chunk);
    const whole = Buffer.concat(chunks);
    this.request.onReceived?.(whole.length);
    return whole.toString("utf8");
  }
}

/** Yields the body. Leaving the loop cancels the request; a connection that ends within the body throws. */
async function* chunksOf(stream: ClientHttp2Stream, failed: PoolRequest["failed"]): AsyncGenerator<Uint8Array> {
  let left = true;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) yield chunk;
    left = false;
  } catch (error) {
    throw failed(translateError(stream, error as Error));
  } finally {
    if (left && !stream.closed) stream.close(NGHTTP2_CANCEL);
  }
  // Node ends a stream that the peer cancelled without an error.
  if (stream.aborted || stream.rstCode !== 0) throw failed(translateError(stream, lost("the stream was reset")));
}

/** Translates an error to its HTTP/1.1 equivalent, so that callers need not know both protocols. */
function translateError(stream: ClientHttp2Stream, error: Error): Error {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (stream.rstCode === NGHTTP2_REFUSED_STREAM) {
    return Object.assign(new Error("the server refused the stream", { cause: error }), { code: "TSOP_HTTP2_REFUSED" });
  }
  return code.startsWith("ERR_HTTP2_") && !notProcessed.has(code) ? lost(error.message, error) : error;
}

async function secureSocket(options: Http2Options): Promise<TLSSocket> {
  const { url, tls, proxyUrl, onResolved, connectTimeoutMs = defaultConnectTimeoutMs } = options;
  const host = hostOf(url);
  const target = {
    host,
    port: Number(url.port || 443),
    autoSelectFamilyAttemptTimeout,
    // SNI does not allow addresses.
    servername: isIP(host) ? "" : host,
    ...tls,
    ALPNProtocols: ["h2", "http/1.1"],
  };
  const started = performance.now();
  const socket = proxyUrl
    ? await connectThroughProxy(new URL(proxyUrl), { ...target, connectTimeoutMs })
    : connect(target);
  if (onResolved) socket.once("lookup", () => onResolved((performance.now() - started) / 1000));
  (socket as Socket).setKeepAlive(true, keepAliveMs);
  await handshake(socket, connectTimeoutMs);
  return socket;
}

/** Waits for the server's settings, its first frame, which limit the number of concurrent requests. */
function settingsOf(session: ClientHttp2Session, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => session.destroy(tooLong()), timeoutMs);
    timer.unref();
    session.once("remoteSettings", () => resolve(clearTimeout(timer)));
    session.once("error", reject);
    session.once("close", () => reject(lost()));
  });
}

function tooLong(): Error {
  return Object.assign(new Error("connecting timed out"), { code: "ETIMEDOUT" });
}

function handshake(socket: TLSSocket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(tooLong()), timeoutMs);
    timer.unref();
    const closed = (): void => failed(lost());
    const failed = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    socket.once("error", failed);
    socket.once("close", closed);
    socket.once("secureConnect", () => {
      clearTimeout(timer);
      socket.off("error", failed);
      socket.off("close", closed);
      resolve();
    });
  });
}

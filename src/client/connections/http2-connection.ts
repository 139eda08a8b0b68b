import { connect as connectHttp2, constants, type ClientHttp2Session, type ClientHttp2Stream } from "node:http2";
import { isIP, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import {
  defaultConnectTimeoutMs,
  hostOf,
  idleConnectionMs,
  keepAliveMs,
  type PoolRequest,
  type PoolOptions,
  type TlsSettings,
} from "./connection-pool.ts";
import { connectThroughProxy } from "./proxy-agent.ts";
import type { TransportResponse } from "../transport.ts";

export interface Http2Options extends PoolOptions {
  readonly tls: TlsSettings;
  /** How often a quiet connection with requests under way is asked whether it lives; 30 seconds. */
  readonly pingMs?: number;
  /** How long it may take to answer; 15 seconds. */
  readonly pingTimeoutMs?: number;
}

const { NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM } = constants;
/** Enough for a busy watch between two turns of the event loop; a slow reader holds up its own stream only. */
const streamWindow = 1024 * 1024;
const connectionWindow = 64 * 1024 * 1024;
const notProcessed = new Set(["ERR_HTTP2_GOAWAY_SESSION", "ERR_HTTP2_INVALID_SESSION", "TSOP_HTTP2_REFUSED"]);

/** One connection that carries many requests at a time. */
export class Http2Connection {
  readonly #session: ClientHttp2Session;
  readonly #options: Http2Options;
  #active = 0;

  private constructor(session: ClientHttp2Session, options: Http2Options) {
    this.#session = session;
    this.#options = options;
    session.unref();
    // Each request hears of its own error; a session without requests has nobody to tell.
    session.on("error", () => undefined);
    session.setTimeout(idleConnectionMs, () => {
      if (this.#active === 0) session.close();
    });
    this.#keepAsking();
  }

  /** Connects, through the proxy if there is one; `undefined` when the server wants HTTP/1.1. */
  static async open(options: Http2Options): Promise<Http2Connection | undefined> {
    const socket = await secureSocket(options);
    if (socket.alpnProtocol !== "h2") {
      socket.destroy();
      return undefined;
    }
    const settings = { enablePush: false, initialWindowSize: streamWindow };
    const session = connectHttp2(options.url.origin, {
      createConnection: () => socket,
      settings,
      maxSessionMemory: 256,
    });
    await settingsOf(session, options.connectTimeoutMs ?? defaultConnectTimeoutMs);
    session.setLocalWindowSize(connectionWindow);
    return new Http2Connection(session, options);
  }

  get isOpen(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  get hasRoom(): boolean {
    return this.isOpen && this.#active < (this.#session.remoteSettings.maxConcurrentStreams ?? 100);
  }

  exchange(request: PoolRequest): Promise<TransportResponse> {
    const { idleTimeoutMs: limit, url } = this.#options;
    const { method, path, headers, body, signal } = request;
    const all = { ":method": method, ":path": path, ":authority": url.host, ...headers };
    const stream = this.#session.request(all, { endStream: body === undefined, ...(signal ? { signal } : {}) });
    this.#count(stream);
    return new Promise((resolve, reject) => {
      stream.once("response", (answer) => resolve(new Http2Response(stream, answer, request)));
      stream.on("error", (error) => reject(translated(stream, error)));
      stream.once("close", () => reject(translated(stream, lost("the connection was closed"))));
      if (!request.stream) {
        stream.setTimeout(limit, () => stream.destroy(new Error(`no answer within ${limit / 1000} s`)));
      }
      if (body !== undefined) stream.end(body);
    });
  }

  /** Takes no new requests, and closes when the last one has ended. */
  retire(): void {
    this.#session.close();
  }

  destroy(): void {
    // Without an error a body that breaks off would look whole.
    this.#session.destroy(lost("the connection was closed"));
  }

  /** A connection without requests must not keep the process alive. */
  #count(stream: ClientHttp2Stream): void {
    if (this.#active++ === 0) this.#session.ref();
    stream.once("close", () => {
      if (--this.#active === 0 && !this.#session.destroyed) this.#session.unref();
    });
  }

  /** A peer that is gone without a word is found out, even while nobody writes. */
  #keepAsking(): void {
    const { pingMs = 30_000, pingTimeoutMs = 15_000 } = this.#options;
    const session = this.#session;
    const timer = setInterval(() => {
      if (this.#active === 0 || !this.isOpen) return;
      const late = setTimeout(() => session.destroy(lost("no answer to a ping")), pingTimeoutMs);
      late.unref();
      session.ping(() => clearTimeout(late));
    }, pingMs);
    timer.unref();
    session.once("close", () => clearInterval(timer));
  }
}

/** True if the server can't have begun to work on the request. */
export function isNotProcessed(error: unknown): boolean {
  return notProcessed.has((error as NodeJS.ErrnoException | undefined)?.code ?? "");
}

class Http2Response implements TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly #stream: ClientHttp2Stream;
  readonly #request: Pick<PoolRequest, "failed" | "onReceived">;

  constructor(
    stream: ClientHttp2Stream,
    headers: Readonly<Record<string, string | string[] | undefined>> & { ":status"?: number | undefined },
    request: Pick<PoolRequest, "failed" | "onReceived">,
  ) {
    const { ":status": status, ...rest } = headers;
    this.status = status ?? 0;
    this.headers = rest;
    this.#stream = stream;
    this.#request = request;
  }

  get body(): AsyncIterable<Uint8Array> {
    return chunksOf(this.#stream, this.#request.failed);
  }

  async text(): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.body) chunks.push(chunk);
    const whole = Buffer.concat(chunks);
    this.#request.onReceived?.(whole.length);
    return whole.toString("utf8");
  }
}

/** Leaving the loop tells the server to stop. A connection that ends within the body is an error. */
async function* chunksOf(stream: ClientHttp2Stream, failed: PoolRequest["failed"]): AsyncGenerator<Uint8Array> {
  let left = true;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) yield chunk;
    left = false;
  } catch (error) {
    throw failed(translated(stream, error as Error));
  } finally {
    if (left && !stream.closed) stream.close(NGHTTP2_CANCEL);
  }
  // Node takes a stream that the peer cancelled for one that has ended.
  if (stream.aborted || stream.rstCode !== 0) throw failed(translated(stream, lost("the stream was reset")));
}

/** In the words that HTTP/1.1 has for it, so that nobody above must know of two protocols. */
function translated(stream: ClientHttp2Stream, error: Error): Error {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (stream.rstCode === NGHTTP2_REFUSED_STREAM) {
    return Object.assign(new Error("the server refused the stream", { cause: error }), { code: "TSOP_HTTP2_REFUSED" });
  }
  return code.startsWith("ERR_HTTP2_") && !notProcessed.has(code) ? lost(error.message, error) : error;
}

function lost(reason: string, cause?: Error): Error {
  return Object.assign(new Error(reason, { cause }), { code: "ECONNRESET" });
}

async function secureSocket(options: Http2Options): Promise<TLSSocket> {
  const { url, tls, proxyUrl, onResolved, connectTimeoutMs = defaultConnectTimeoutMs } = options;
  const host = hostOf(url);
  const target = {
    host,
    port: Number(url.port || 443),
    // An address is no name that a certificate could be asked for.
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

/** How many requests the server takes at a time is in its settings, the first that it says. */
function settingsOf(session: ClientHttp2Session, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => session.destroy(tooLong()), timeoutMs);
    timer.unref();
    session.once("remoteSettings", () => resolve(clearTimeout(timer)));
    session.once("error", reject);
    session.once("close", () => reject(lost("the connection was closed")));
  });
}

function tooLong(): Error {
  return Object.assign(new Error("connecting took too long"), { code: "ETIMEDOUT" });
}

function handshake(socket: TLSSocket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(tooLong()), timeoutMs);
    timer.unref();
    const closed = (): void => failed(lost("the connection was closed"));
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

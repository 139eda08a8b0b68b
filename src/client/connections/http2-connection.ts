import { connect as connectHttp2, type ClientHttp2Session, type ClientHttp2Stream } from "node:http2";
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
import { broken } from "./http1-answer.ts";
import { FencedSocket } from "./fenced-socket.ts";
import { lost } from "./lost.ts";
import { connectThroughProxy } from "./proxy-agent.ts";
import { followEnd, Http2Response, notProcessed, translateError } from "./http2-response.ts";
import { ResponseDeadline } from "./response-deadline.ts";
import type { TransportResponse } from "../transport.ts";

export interface Http2Options extends PoolOptions {
  readonly tls: TlsSettings;
  /** The interval of pings on a quiet connection with running requests; the default is 30 seconds. */
  readonly pingMs?: number;
  /** The time limit for the answer to a ping; the default is 15 seconds. */
  readonly pingTimeoutMs?: number;
  /** Called when it may carry another request, or has closed. */
  readonly onRoom?: () => void;
}

/** Enough for a busy watch between two turns of the event loop; a slow reader blocks only its own stream. */
const streamWindow = 1024 * 1024;
const connectionWindow = 64 * 1024 * 1024;

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
  /** The last request that the server may have processed, once it says so. */
  private lastProcessed = Infinity;

  private constructor(session: ClientHttp2Session, options: Http2Options, { socket, fenced }: Sockets) {
    this.session = session;
    this.options = options;
    this.socket = socket.unref();
    this.fenced = fenced;
    // Each request receives its own error; a session without requests has no receiver.
    session.on("error", () => undefined);
    session.on("goaway", (_code, lastStreamId: number) => (this.lastProcessed = lastStreamId));
    session.setTimeout(idleConnectionMs, () => {
      if (this.active === 0) session.close();
    });
    const { onRoom } = options;
    if (onRoom) session.on("remoteSettings", onRoom).on("close", onRoom);
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

  get isIdle(): boolean {
    return this.active === 0;
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
      const failed = (error: Error): void =>
        reject((stream.id ?? 0) > this.lastProcessed ? notProcessed(error) : translateError(stream, error));
      const deadline = new ResponseDeadline(limit);
      // Head and end of a response can arrive together.
      const isWhole = followEnd(stream);
      stream.once("response", (answer) => {
        const { ":status": status = 0 } = answer;
        if (status < 200) stream.destroy(broken(`it has the status ${status}`, "HTTP/2"));
        else resolve(new Http2Response(stream, answer, { ...request, deadline, isWhole }));
      });
      stream.on("error", failed);
      stream.once("close", () => failed(lost()));
      if (!request.stream) {
        const late = (): void => void stream.destroy(new Error(`no response within ${limit / 1000} s`));
        stream.setTimeout(limit, late);
        // Informational responses are no silence.
        stream.once("finish", () => {
          const timer = setTimeout(late, limit);
          stream.once("response", () => clearTimeout(timer)).once("close", () => clearTimeout(timer));
        });
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
      this.options.onRoom?.();
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

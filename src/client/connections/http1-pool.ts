import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from "node:https";
import { createSecureContext, type SecureContext } from "node:tls";
import {
  hostOf,
  idleConnectionMs,
  keepAliveMs,
  type ConnectionPool,
  type PoolOptions,
  type PoolRequest,
} from "./connection-pool.ts";
import { eachChunk, lost } from "./each-chunk.ts";
import { encodeRequest, Http1Connection } from "./http1-connection.ts";
import { isSocks, ProxyAgent, proxyLogin, SocksAgent } from "./proxy-agent.ts";
import type { TransportResponse } from "../transport.ts";
import { watchOver } from "./watch-over.ts";

const maxSockets = 100;

/**
 * Keep-alive connections of HTTP/1.1. Streams never take a connection from short requests, and what goes through a proxy
 * is left to Node's client, with its agents.
 */
export class Http1Pool implements ConnectionPool {
  private readonly options: PoolOptions;
  /** Read once for all connections. */
  private readonly secureContext: SecureContext | undefined;
  private readonly streams: HttpAgent | HttpsAgent;
  private readonly proxied: HttpAgent | HttpsAgent | undefined;
  private readonly route: Route;
  private readonly open = new Set<Http1Connection>();
  /** The one that was used last is the last. */
  private readonly free: Http1Connection[] = [];
  private readonly waiting = new Set<() => void>();

  constructor(options: PoolOptions) {
    this.options = options;
    const { tls, proxyUrl } = options;
    this.secureContext = tls && createSecureContext(tls);
    const secure = { ...tls, secureContext: this.secureContext };
    this.streams = agent(options, { ...secure, keepAlive: false });
    const kept = { keepAlive: true, keepAliveMsecs: keepAliveMs, timeout: idleConnectionMs, scheduling: "lifo" };
    this.route = routeOf(options);
    this.proxied = proxyUrl ? agent(options, { ...secure, ...kept, maxSockets }) : undefined;
  }

  async exchange(request: PoolRequest): Promise<TransportResponse> {
    const agent = request.stream ? this.streams : this.proxied;
    if (agent) return this.throughAgent(request, agent);
    request.signal?.throwIfAborted();
    const bytes = encodeRequest(request, this.options.url.host);
    const connection = this.takeFree() ?? this.connect() ?? (await this.nextFree(request.signal));
    return connection.exchange(request, bytes);
  }

  private throughAgent(request: PoolRequest, agent: HttpAgent | HttpsAgent): Promise<TransportResponse> {
    const { to, prefix, headers: ofRoute } = this.route;
    const { method, path, headers, body, signal } = request;
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const options: RequestOptions = {
      agent,
      protocol: to.protocol,
      hostname: hostOf(to),
      port: to.port,
      method,
      path: `${prefix}${path}`,
      headers: { ...ofRoute, ...headers, ...length },
      ...(signal ? { signal } : {}),
    };
    return this.send(to.protocol === "https:" ? httpsRequest(options) : httpRequest(options), request);
  }

  retire(): void {
    for (const connection of this.open) connection.retire();
    for (const sockets of Object.values(this.proxied?.freeSockets ?? {})) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  close(): void {
    for (const connection of this.open) connection.destroy();
    this.proxied?.destroy();
    this.streams.destroy();
  }

  private takeFree(): Http1Connection | undefined {
    for (let found = this.free.pop(); found; found = this.free.pop()) if (found.isOpen) return found;
    return undefined;
  }

  /** `undefined` when there are as many as there may be. */
  private connect(): Http1Connection | undefined {
    if (this.open.size >= maxSockets) return undefined;
    const { options, secureContext } = this;
    const made = new Http1Connection({ ...options, secureContext, onChange: (connection) => this.changed(connection) });
    this.open.add(made);
    return made;
  }

  private async nextFree(signal: AbortSignal | undefined): Promise<Http1Connection> {
    for (;;) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.waiting.delete(wake);
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        this.waiting.add(wake);
        signal?.addEventListener("abort", wake);
      });
      if (signal?.aborted) this.wakeNext();
      signal?.throwIfAborted();
      const connection = this.takeFree() ?? this.connect();
      if (connection) return connection;
    }
  }

  private changed(connection: Http1Connection): void {
    if (connection.isOpen) this.free.push(connection);
    else {
      this.open.delete(connection);
      const at = this.free.indexOf(connection);
      if (at >= 0) this.free.splice(at, 1);
    }
    this.wakeNext();
  }

  private wakeNext(): void {
    const [next] = this.waiting;
    next?.();
  }

  private send(outgoing: ClientRequest, request: PoolRequest): Promise<TransportResponse> {
    const { idleTimeoutMs: limit } = this.options;
    return new Promise((resolve, reject) => {
      outgoing.once("response", (incoming) => resolve(new StreamedResponse(incoming, request)));
      outgoing.once("error", reject);
      outgoing.once("socket", (socket) => {
        if (!outgoing.reusedSocket) watchOver(socket, this.options);
      });
      if (!request.stream) {
        outgoing.setTimeout(limit, () => outgoing.destroy(new Error(`no answer within ${limit / 1000} s`)));
      }
      outgoing.end(request.body);
    });
  }
}

class StreamedResponse implements TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  private readonly incoming: IncomingMessage;
  private readonly request: Pick<PoolRequest, "failed" | "onReceived">;

  constructor(incoming: IncomingMessage, request: Pick<PoolRequest, "failed" | "onReceived">) {
    this.status = incoming.statusCode ?? 0;
    this.headers = incoming.headers;
    this.incoming = incoming;
    this.request = request;
  }

  get body(): AsyncIterable<Uint8Array> {
    return eachChunk(this.incoming, this.request.failed);
  }

  text(): Promise<string> {
    const { incoming, request } = this;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const broken = (error: Error): void => reject(request.failed(error));
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.once("end", () => {
        const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
        request.onReceived?.(whole.length);
        resolve(whole.toString());
      });
      incoming.once("error", broken);
      if (incoming.destroyed) broken(lost());
    });
  }
}

/** Whom a request is sent to, and what that one wants to know. */
interface Route {
  readonly to: URL;
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A proxy takes a request without TLS itself; to others it gives a way through. */
function routeOf({ url, tls, proxyUrl }: PoolOptions): Route {
  const proxy = proxyUrl && !tls ? new URL(proxyUrl) : undefined;
  if (!proxy || isSocks(proxy)) return { to: url, prefix: "", headers: {} };
  return { to: proxy, prefix: url.origin, headers: { host: url.host, ...proxyLogin(proxy) } };
}

function agent({ url, tls, proxyUrl, connectTimeoutMs }: PoolOptions, options: object): HttpAgent | HttpsAgent {
  const proxy = proxyUrl ? new URL(proxyUrl) : undefined;
  const made = newAgent(proxy, tls !== undefined, { ...options, connectTimeoutMs });
  // All its connections go to one place. Node would put a name together from every option, certificates too, several
  // times for each request.
  made.getName = () => url.host;
  return made;
}

function newAgent(proxy: URL | undefined, secure: boolean, options: object): HttpAgent | HttpsAgent {
  if (secure) return proxy ? new ProxyAgent(proxy, options) : new HttpsAgent(options);
  if (proxy && isSocks(proxy)) return new SocksAgent(proxy, options);
  return proxy?.protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options);
}

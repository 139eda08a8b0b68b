import { createSecureContext, type SecureContext } from "node:tls";
import { maxSockets, type ConnectionPool, type PoolOptions, type PoolRequest } from "./connection-pool.ts";
import { encodeRequest, Http1Connection } from "./http1-connection.ts";
import { Http1Stream } from "./http1-stream.ts";
import { lost } from "./lost.ts";
import type { TransportResponse } from "../transport.ts";

/** Creates HTTP/1.1 connections to the server, or through the proxy in the options. */
export async function http1Pool(options: PoolOptions): Promise<ConnectionPool> {
  const { proxyUrl } = options;
  if (!proxyUrl) return new Http1Pool(options);
  const { ProxyPool } = await import("./proxy-pool.ts");
  return new ProxyPool({ ...options, proxyUrl });
}

/** Keep-alive connections of HTTP/1.1. Streams never use the connections of short requests. */
export class Http1Pool implements ConnectionPool {
  private readonly options: PoolOptions;
  /** Created once for all connections. */
  private readonly secureContext: SecureContext | undefined;
  private readonly streams = new Set<Http1Stream>();
  private readonly open = new Set<Http1Connection>();
  /** Sorted by last use; the most recent is last. */
  private readonly free: Http1Connection[] = [];
  private readonly waiting = new Set<() => void>();
  private isClosed = false;

  constructor(options: PoolOptions) {
    this.options = options;
    this.secureContext = options.tls && createSecureContext(options.tls);
  }

  async exchange(request: PoolRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    const bytes = encodeRequest(request, this.options.url.host);
    if (request.stream) return this.stream(request, bytes);
    const connection = this.takeFree() ?? this.connect() ?? (await this.nextFree(request.signal));
    return connection.exchange(request, bytes);
  }

  retire(): void {
    for (const connection of this.open) connection.retire();
  }

  close(): void {
    this.isClosed = true;
    for (const connection of this.open) connection.destroy();
    for (const stream of this.streams) stream.destroy();
  }

  private stream(request: PoolRequest, bytes: Buffer): Promise<TransportResponse> {
    const options = this.options;
    const secureContext = this.secureContext;
    const streams = this.streams;
    const made = new Http1Stream(
      { ...options, secureContext, onClose: (stream) => streams.delete(stream) },
      request,
      bytes,
    );
    streams.add(made);
    return made.answer();
  }

  private takeFree(): Http1Connection | undefined {
    for (let found = this.free.pop(); found; found = this.free.pop()) if (found.isOpen) return found;
    return undefined;
  }

  /** Opens a connection; returns `undefined` at the limit. */
  private connect(): Http1Connection | undefined {
    if (this.open.size >= maxSockets) return undefined;
    const options = this.options;
    const secureContext = this.secureContext;
    const made = new Http1Connection({
      ...options,
      secureContext,
      onChange: (connection) => this.changed(connection),
    });
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
      if (this.isClosed) throw lost();
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
}

import { createSecureContext } from "node:tls";
import type { TransportResponse } from "../transport.ts";
import { maxSockets, type ConnectionPool, type PoolOptions, type PoolRequest } from "./connection-pool.ts";
import { encodeRequest, Http1Connection } from "./http1-connection.ts";
import { Http1Stream } from "./http1-stream.ts";
import { lost } from "./lost.ts";
import { openInTunnel, openSocket, watchOver, type OpenSocket, type SocketOptions } from "./open-socket.ts";
import type { Route } from "./proxy-route.ts";

/** Creates HTTP/1.1 connections to the server, or through the proxy in the options. */
export async function http1Pool(options: PoolOptions): Promise<ConnectionPool> {
  const { proxyUrl } = options;
  if (!proxyUrl) return new Http1Pool(options);
  const { routeThrough } = await import("./proxy-route.ts");
  return new Http1Pool(options, routeThrough(proxyUrl, options));
}

/** Keep-alive connections of HTTP/1.1. Streams never use the connections of short requests. */
export class Http1Pool implements ConnectionPool {
  private readonly host: string;
  private readonly route: Route;
  /** With a secure context that is created once for all connections. */
  private readonly options: SocketOptions;
  private readonly streams = new Set<Http1Stream>();
  private readonly open = new Set<Http1Connection>();
  /** The connections that begin to open. */
  private opening = 0;
  /** Sorted by last use; the most recent is last. */
  private readonly free: Http1Connection[] = [];
  private readonly waiting = new Set<() => void>();
  private isClosed = false;

  constructor(options: PoolOptions, route: Route = { to: options.url, tls: options.tls, prefix: "", headers: {} }) {
    const { to: url, tls } = route;
    this.host = options.url.host;
    this.route = route;
    this.options = { ...options, url, tls, secureContext: tls && createSecureContext(tls) };
  }

  async exchange(request: PoolRequest): Promise<TransportResponse> {
    const { signal } = request;
    signal?.throwIfAborted();
    const bytes = encodeRequest(this.routed(request), this.host);
    if (request.stream) return this.stream(request, bytes);
    // Decided at once: what becomes free during a pause would wake nobody.
    const connection = this.takeFree() ?? (await (this.hasRoom ? this.connect(signal) : this.nextFree(signal)));
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

  private routed(request: PoolRequest): PoolRequest {
    const { prefix, headers } = this.route;
    if (!prefix) return request;
    return { ...request, path: prefix + request.path, headers: { ...headers, ...request.headers } };
  }

  private async stream(request: PoolRequest, bytes: Buffer): Promise<TransportResponse> {
    const { streams } = this;
    const made = new Http1Stream(await this.opener(request.signal), request, bytes, (stream) => streams.delete(stream));
    streams.add(made);
    return made.answer();
  }

  /** Returns the way to open a connection; through a proxy, the tunnel for it is open already. */
  private async opener(signal: AbortSignal | undefined): Promise<OpenSocket> {
    const { options } = this;
    const tunnel = await this.route.tunnel?.();
    if (this.isClosed || signal?.aborted) {
      tunnel?.destroy();
      throw this.isClosed ? lost() : signal?.reason;
    }
    if (!tunnel) return (onData) => openSocket(options, onData);
    return (onData) => {
      const socket = openInTunnel(tunnel, options).on("data", onData);
      watchOver(socket, options);
      return socket;
    };
  }

  private takeFree(): Http1Connection | undefined {
    for (let found = this.free.pop(); found; found = this.free.pop()) if (found.isOpen) return found;
    return undefined;
  }

  private get hasRoom(): boolean {
    return this.open.size + this.opening < maxSockets;
  }

  private async connect(signal: AbortSignal | undefined): Promise<Http1Connection> {
    this.opening++;
    try {
      const open = await this.opener(signal);
      const { idleTimeoutMs } = this.options;
      const onChange = (connection: Http1Connection): void => this.changed(connection);
      const made = new Http1Connection(open, { idleTimeoutMs, onChange });
      this.open.add(made);
      return made;
    } catch (error) {
      this.wakeNext();
      throw error;
    } finally {
      this.opening--;
    }
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
      const connection = this.takeFree() ?? (this.hasRoom && (await this.connect(signal)));
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

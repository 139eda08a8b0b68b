import type { ConnectionPool, PoolRequest } from "./connection-pool.ts";
import { http1Pool } from "./http1-pool.ts";
import { Http2Connection, type Http2Options } from "./http2-connection.ts";
import { isNotProcessed } from "./http2-response.ts";
import { lost } from "./lost.ts";
import type { TransportResponse } from "../transport.ts";

/** The connections for one purpose. */
interface Lane {
  readonly isFenced: boolean;
  connections: Http2Connection[];
  opening: Promise<Http2Connection | undefined> | undefined;
  /** Requests for which no connection has room. */
  readonly waiting: Set<() => void>;
}

/** The limit of connections for one purpose. */
const maxConnections = 100;
/** The most new connections of a request that the server may close at once before the request fails. */
const maxClosed = 3;

/**
 * Connections of HTTP/2: usually one for short requests and one for streams, so that an unread watch cannot use up the
 * flow-control window of other requests, and one for writes that need a lease. Falls back to HTTP/1.1 if the server does not speak HTTP/2.
 */
export class Http2Pool implements ConnectionPool {
  private readonly options: Http2Options;
  private readonly short = newLane(false);
  private readonly streams = newLane(false);
  private readonly fenced = newLane(true);
  private readonly lanes = [this.short, this.streams, this.fenced];
  private older: ConnectionPool | undefined;
  private isClosed = false;

  constructor(options: Http2Options) {
    this.options = options;
  }

  async exchange(request: PoolRequest): Promise<TransportResponse> {
    for (let attempt = 1; ; attempt++) {
      const connection = await this.connection(this.laneOf(request), request.signal);
      request.signal?.throwIfAborted();
      if (!connection) return this.older!.exchange(request);
      try {
        return await connection.exchange(request);
      } catch (error) {
        // The server did not process the request, so a new connection can.
        if (attempt > 2 || !isNotProcessed(error)) throw error;
      }
    }
  }

  private laneOf({ stream, fence }: PoolRequest): Lane {
    if (fence) return this.fenced;
    return stream ? this.streams : this.short;
  }

  retire(): void {
    for (const connection of this.all()) connection.retire();
    this.older?.retire();
  }

  close(): void {
    this.isClosed = true;
    for (const connection of this.all()) connection.destroy();
    for (const lane of this.lanes) wakeAll(lane);
    this.older?.close();
  }

  /** Returns a connection with room for another request; `undefined` if the server does not speak HTTP/2. */
  private async connection(lane: Lane, signal: AbortSignal | undefined): Promise<Http2Connection | undefined> {
    const deadline = performance.now() + this.options.idleTimeoutMs;
    for (let closed = 0; closed < maxClosed;) {
      signal?.throwIfAborted();
      if (this.isClosed) throw lost();
      if (this.older) return undefined;
      lane.connections = lane.connections.filter((each) => each.isOpen);
      const found = lane.connections.find((each) => each.hasRoom);
      if (found) return found;
      if (mayOpen(lane)) {
        lane.opening ??= this.open(lane).finally(() => {
          lane.opening = undefined;
        });
        const opened = await lane.opening;
        if (opened && !opened.isOpen) closed++;
      } else await this.room(lane, signal, deadline);
    }
    throw lost("the server closes each new connection");
  }

  /** Resolves when a connection may have room, or the signal aborts. */
  private room({ waiting }: Lane, signal: AbortSignal | undefined, deadline: number): Promise<void> {
    const { idleTimeoutMs } = this.options;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        waiting.delete(wake);
        signal?.removeEventListener("abort", wake);
      };
      const wake = (): void => {
        stop();
        resolve();
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`the server allows no further request within ${idleTimeoutMs / 1000} s`));
      }, deadline - performance.now());
      waiting.add(wake);
      signal?.addEventListener("abort", wake);
    });
  }

  private async open(lane: Lane): Promise<Http2Connection | undefined> {
    const connection = await Http2Connection.open({ ...this.options, onRoom: () => wakeAll(lane) }, lane.isFenced);
    if (this.isClosed) {
      connection?.destroy();
      throw lost();
    }
    if (connection) {
      lane.connections.push(connection);
      return connection;
    }
    const older = await http1Pool(this.options);
    this.older ??= older;
    return undefined;
  }

  private all(): Http2Connection[] {
    return this.lanes.flatMap(({ connections }) => connections);
  }
}

function newLane(isFenced: boolean): Lane {
  return { isFenced, connections: [], opening: undefined, waiting: new Set() };
}

/** A connection that allows no request at all would be the first of many. */
function mayOpen({ connections }: Lane): boolean {
  return connections.length < maxConnections && connections.every(({ isIdle }) => !isIdle);
}

function wakeAll({ waiting }: Lane): void {
  for (const wake of waiting) wake();
}

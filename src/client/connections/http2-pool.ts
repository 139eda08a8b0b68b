import type { ConnectionPool, PoolRequest } from "./connection-pool.ts";
import { http1Pool } from "./http1-pool.ts";
import { Http2Connection, isNotProcessed, type Http2Options } from "./http2-connection.ts";
import { lost } from "./lost.ts";
import type { TransportResponse } from "../transport.ts";

/** The connections for one purpose. */
interface Lane {
  readonly isFenced: boolean;
  connections: Http2Connection[];
  opening: Promise<Http2Connection | undefined> | undefined;
}

/**
 * Connections of HTTP/2: usually one for short requests and one for streams, so that an unread watch cannot use up the
 * flow-control window of other requests, and one for writes that need a lease. Falls back to HTTP/1.1 if the server does not speak HTTP/2.
 */
export class Http2Pool implements ConnectionPool {
  private readonly options: Http2Options;
  private readonly short = newLane(false);
  private readonly streams = newLane(false);
  private readonly fenced = newLane(true);
  private older: ConnectionPool | undefined;
  private isClosed = false;

  constructor(options: Http2Options) {
    this.options = options;
  }

  async exchange(request: PoolRequest): Promise<TransportResponse> {
    for (let attempt = 1; ; attempt++) {
      const connection = await this.connection(this.laneOf(request));
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
    this.older?.close();
  }

  /** Returns a connection with room for another request; `undefined` if the server does not speak HTTP/2. */
  private async connection(lane: Lane): Promise<Http2Connection | undefined> {
    for (;;) {
      if (this.older) return undefined;
      lane.connections = lane.connections.filter((each) => each.isOpen);
      const found = lane.connections.find((each) => each.hasRoom);
      if (found) return found;
      lane.opening ??= this.open(lane).finally(() => {
        lane.opening = undefined;
      });
      await lane.opening;
    }
  }

  private async open(lane: Lane): Promise<Http2Connection | undefined> {
    const connection = await Http2Connection.open(this.options, lane.isFenced);
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
    return [this.short, this.streams, this.fenced].flatMap(({ connections }) => connections);
  }
}

function newLane(isFenced: boolean): Lane {
  return { isFenced, connections: [], opening: undefined };
}

import type { ServerResponse } from "../apiserver/api-server.ts";
import { ConnectionCut } from "../apiserver/http/start-http.ts";
import type { Schedule } from "../check/plans/plan.ts";
import type { ConnectionPool, PoolRequest } from "../client/connections/connection-pool.ts";
import type { TransportResponse } from "../client/transport.ts";
import type { Owner, Scheduler } from "./realm/scheduler.ts";

/** A request of an operator, as it reaches the server. */
export interface ArrivingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Aborts when the operator gives the request up, or ends. */
  readonly signal: AbortSignal;
}

export interface NetworkOptions {
  readonly scheduler: Scheduler;
  /** The owner of the server's tasks. */
  readonly cluster: Owner;
  readonly handle: (request: ArrivingRequest) => Promise<ServerResponse>;
  /** Random numbers for delays. */
  readonly random: () => number;
  /** Without them, what is sent arrives some turns later, at the same time. */
  readonly delays: Delays | undefined;
}

/** How long messages are under way. */
type Delays = Pick<Schedule, "delayMs" | "lateMs">;

/** The least time in milliseconds that a request, a response or an event is under way. */
const leastDelayMs = 0.25;
/** The largest number of turns after which it arrives if it takes no time. */
const mostTurns = 3;

/** Connects operators with the server: each request, response and event of a watch takes some time, and none is lost. */
export class Network {
  private readonly options: NetworkOptions;
  /** The exchanges that are under way, by the operator that began them. */
  private readonly open = new Map<Owner, Set<Exchange>>();

  constructor(options: NetworkOptions) {
    this.options = options;
  }

  /** Returns the connections of an operator. */
  poolOf(operator: Owner): ConnectionPool {
    return {
      exchange: (request) => this.exchange(operator, request),
      retire: () => {},
      close: () => this.disconnect(operator),
    };
  }

  /** The number of an operator's requests that are under way, including watches. */
  openOf(operator: Owner): number {
    return this.open.get(operator)?.size ?? 0;
  }

  /** Ends all exchanges of an operator for the server. */
  disconnect(operator: Owner): void {
    for (const exchange of this.open.get(operator) ?? []) exchange.abandon();
    this.open.delete(operator);
  }

  private exchange(operator: Owner, request: PoolRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    // Code that real work has called back, such as the end of reading a file, has outlived its program.
    if (operator.state === "dead") return new Promise(() => {});
    // The bytes leave now.
    request.fence?.();
    const exchanges = this.open.get(operator) ?? new Set();
    this.open.set(operator, exchanges);
    const exchange = new Exchange(this.options, operator, request, () => exchanges.delete(exchange));
    exchanges.add(exchange);
    return exchange.answer;
  }
}

/** One request and its response. */
class Exchange {
  readonly answer: Promise<TransportResponse>;
  private readonly options: NetworkOptions;
  private readonly operator: Owner;
  private readonly request: PoolRequest;
  private readonly closed: () => void;
  /** Ends the request for the server. */
  private readonly leaving = new AbortController();
  private readonly body = new ArrivingBody();
  /** The time before which nothing further arrives: streams stay in order. */
  private lastArrival = 0;
  /** What is under way to the operator, if that takes no time. */
  private readonly arrivals: (() => void)[] = [];
  /** The time by which all parts of a stream are late. */
  private lateMs = 0;
  private resolve!: (response: TransportResponse) => void;
  private reject!: (error: Error) => void;
  private isOver = false;

  constructor(options: NetworkOptions, operator: Owner, request: PoolRequest, closed: () => void) {
    this.options = options;
    this.operator = operator;
    this.request = request;
    this.closed = closed;
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    request.signal?.addEventListener("abort", this.aborted, { once: true });
    this.send(() => void this.serve().catch(options.cluster.fail));
  }

  /** Ends the exchange without a word to the operator, which is gone. */
  abandon(): void {
    this.isOver = true;
    this.send(() => this.leaving.abort());
  }

  /** The operator gives the request up. */
  private readonly aborted = (): void => {
    if (this.isOver) return;
    this.abandon();
    this.closed();
    const reason = this.request.signal?.reason as Error;
    this.reject(reason);
    this.body.fail(reason);
  };

  /** Passes the request to the server, in the server's turn. */
  private async serve(): Promise<void> {
    const { method, path, headers, body } = this.request;
    if (this.leaving.signal.aborted) return;
    try {
      const response = await this.options.handle({
        method,
        url: path,
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
        ),
        body: new TextEncoder().encode(body ?? ""),
        signal: this.leaving.signal,
      });
      await this.respond(response);
    } catch (error) {
      if (!(error instanceof ConnectionCut)) throw error;
      this.arrive(() => this.break());
    }
  }

  private async respond({ status, headers, body, binary }: ServerResponse): Promise<void> {
    const encoding = binary ? "latin1" : "utf8";
    if (typeof body === "string") {
      return this.arrive(() => {
        this.deliver(status, headers);
        this.body.push(Buffer.from(body, encoding));
        this.end();
      });
    }
    this.arrive(() => this.deliver(status, headers));
    const { delays, random } = this.options;
    if (delays) this.lateMs = random() * delays.lateMs;
    try {
      for await (const part of body) {
        if (this.leaving.signal.aborted) return;
        this.arrive(() => this.body.push(Buffer.from(part, encoding)));
      }
      this.arrive(() => this.end());
    } catch (error) {
      if (!(error instanceof ConnectionCut)) throw error;
      this.arrive(() => this.break());
    }
  }

  /** Does something in the server's turn. */
  private send(happen: () => void): void {
    const { scheduler, cluster, delays } = this.options;
    if (delays) scheduler.after(this.delay(delays), happen, cluster);
    else this.hop(happen, cluster);
  }

  /** Does something some turns later. */
  private hop(happen: () => void, owner: Owner, turns = 1 + Math.floor(this.options.random() * mostTurns)): void {
    this.options.scheduler.immediately(() => (turns > 1 ? this.hop(happen, owner, turns - 1) : happen()), owner);
  }

  /** Does something in the operator's turn, after all that was sent before. */
  private arrive(happen: () => void): void {
    const { scheduler, delays } = this.options;
    if (!delays) {
      this.arrivals.push(happen);
      // Whichever comes first brings what was sent first.
      return this.hop(() => this.isOver || this.arrivals.shift()?.(), this.operator);
    }
    const now = scheduler.elapsed;
    this.lastArrival = Math.max(this.lastArrival, now + this.lateMs + this.delay(delays));
    const arrival = scheduler.after(
      this.lastArrival - now,
      () => {
        if (!this.isOver) happen();
      },
      this.operator,
    );
    arrival.isArrival = true;
  }

  private deliver(status: number, headers: TransportResponse["headers"]): void {
    const { body } = this;
    this.resolve({ status, headers, body: body.read(this.aborted), text: () => body.text() });
  }

  private end(): void {
    this.finish();
    this.body.end();
  }

  private break(): void {
    const error = this.request.failed(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));
    this.finish();
    this.reject(error);
    this.body.fail(error);
  }

  private finish(): void {
    this.isOver = true;
    this.request.signal?.removeEventListener("abort", this.aborted);
    this.closed();
  }

  private delay({ delayMs }: Delays): number {
    return leastDelayMs + this.options.random() * (delayMs - leastDelayMs);
  }
}

/** The body of a response, as it arrives. */
class ArrivingBody {
  private readonly parts: Buffer[] = [];
  private error: Error | undefined;
  private hasEnded = false;
  private wake: () => void = () => {};

  push(part: Buffer): void {
    this.parts.push(part);
    this.wake();
  }

  end(): void {
    this.hasEnded = true;
    this.wake();
  }

  fail(error: Error): void {
    this.error = error;
    this.wake();
  }

  /** Yields the parts; calls `left` if the reader stops before the end. */
  async *read(left: () => void): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const part = this.parts.shift();
        if (part) yield part;
        else if (this.error) throw this.error;
        else if (this.hasEnded) return;
        else await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      left();
    }
  }

  async text(): Promise<string> {
    const all: Uint8Array[] = [];
    for await (const part of this.read(() => {})) all.push(part);
    return Buffer.concat(all).toString("utf8");
  }
}

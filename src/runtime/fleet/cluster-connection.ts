import type { Clock } from "../../apimachinery/clock.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import { HttpTransport, type HttpTransportOptions } from "../../client/transport/http-transport.ts";
import type { Transport, TransportRequest, TransportResponse } from "../../client/transport.ts";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { Backoff } from "../cache/backoff.ts";
import { Latch } from "../latch.ts";
import { linkAbort } from "../linked-abort.ts";
import type { Logger } from "../log/logger.ts";
import { wait } from "../monotonic-clock.ts";

export interface ConnectionOptions {
  readonly name: string;
  readonly config: ClientConfig;
  readonly http: Pick<HttpTransportOptions, "userAgent" | "observer">;
  readonly clock: Clock;
  readonly log: Logger;
  /** The interval of looking whether the server answers. */
  readonly probeInterval: number;
  /** The time limit for a connection, and for the answer to a probe. */
  readonly connectTimeout: number;
  readonly onChange: (reachable: boolean) => void;
}

/** A request that takes this long lets the connection ask whether the server still answers. */
const slowMs = 1_000;

/**
 * The connection to a cluster that may be away. While the server does not answer, short requests fail at once and
 * streams wait, so that neither holds up anything for the time of a time-out.
 */
export class ClusterConnection implements Transport {
  private readonly options: ConnectionOptions;
  private readonly backoff: Backoff;
  private readonly answers = new Latch();
  /** Requests of controllers that wait for the server, by key. */
  private readonly parked = new Map<string, () => void>();
  private current: ClientConfig;
  private http: HttpTransport;
  /** The connections of the credentials before, whose watches may still run. */
  private retired: HttpTransport | undefined;
  private suspected = false;
  private ended = false;
  private failure: unknown = new Error("it has not answered yet");
  private heardAt = 0;
  private wake = (): void => undefined;

  constructor(options: ConnectionOptions) {
    this.options = options;
    this.current = options.config;
    this.http = this.open(options.config);
    this.backoff = new Backoff(options.clock, { maxMs: 15_000 });
  }

  get config(): ClientConfig {
    return this.current;
  }

  get isReachable(): boolean {
    return this.answers.isOpen && !this.ended;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    if (request.stream) await this.untilReachable(request.signal);
    else if (!this.isReachable) throw this.unreachable();
    const { clock } = this.options;
    const cancel = clock.after(slowMs, () => this.suspect());
    try {
      const answer = await this.http.request(request);
      this.heardAt = clock.now();
      return answer;
    } catch (error) {
      if (!request.signal?.aborted) this.suspect();
      throw this.isReachable || request.signal?.aborted ? error : this.unreachable();
    } finally {
      cancel();
    }
  }

  retrying(request: TransportRequest, code: string): void {
    this.http.retrying(request, code);
  }

  /** Resolves when the server answers; rejects with the reason of the signal. */
  async untilReachable(signal: AbortSignal | undefined): Promise<void> {
    while (!this.isReachable) {
      signal?.throwIfAborted();
      if (this.ended) throw this.unreachable();
      await this.answers.wait(signal);
    }
    signal?.throwIfAborted();
  }

  /** Repeats a request of a controller when the server answers again. */
  park(key: string, again: () => void): void {
    if (this.isReachable) again();
    else this.parked.set(key, again);
  }

  /** Uses other credentials from the next request on; running requests and watches continue. */
  renew(config: ClientConfig): void {
    this.current = config;
    this.retired?.close();
    this.retired = this.http;
    this.retired.retire();
    this.http = this.open(config);
    this.wake();
  }

  /** Ends the connection for good: whoever still has the client of a cluster that has left opens no socket. */
  end(): void {
    this.ended = true;
    this.failure = new Error("it has left the fleet");
    this.close();
    this.answers.open();
    this.parked.clear();
  }

  close(): void {
    this.http.close();
    this.retired?.close();
    this.retired = undefined;
  }

  /** Asks the server in intervals whether it answers, and at once after a failure. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, probeInterval } = this.options;
    while (!signal.aborted) {
      // An answer to any request counts.
      if (!this.isReachable || this.suspected || clock.now() - this.heardAt >= probeInterval) await this.probe(signal);
      if (signal.aborted || this.suspected) continue;
      await this.pause(this.isReachable ? probeInterval : this.backoff.next(), signal);
    }
  }

  private open(config: ClientConfig): HttpTransport {
    return new HttpTransport(config, { ...this.options.http, connectTimeoutMs: this.options.connectTimeout });
  }

  private async probe(signal: AbortSignal): Promise<void> {
    const { clock, connectTimeout } = this.options;
    const given = linkAbort(signal);
    const late = (): void => given.abort(new Error(`it did not answer within ${connectTimeout / 1000} s`));
    const cancel = clock.after(connectTimeout, late);
    this.suspected = false;
    try {
      const answer = await this.http.request({ method: "GET", path: "/version", signal: given.signal });
      // A connection is free for other requests once its answer is read.
      await answer.text();
      const { status } = answer;
      if (status === 401) throw new Error("it rejects the credentials (401)");
      // A load balancer answers in the place of a server that is down.
      if (status >= 500) throw new Error(`it answers with status ${status}`);
      this.heardAt = clock.now();
      this.turn(true);
    } catch (error) {
      if (!signal.aborted) this.turn(false, error);
    } finally {
      cancel();
      given.release();
    }
  }

  private turn(reachable: boolean, failure?: unknown): void {
    const { log, onChange } = this.options;
    const isNews = this.isReachable !== reachable || messageOf(failure) !== messageOf(this.failure);
    this.failure = failure;
    if (reachable) this.answers.open();
    else this.answers.close();
    if (!isNews) return;
    if (reachable) log.info("The cluster answers", { server: this.current.server });
    else log.error(this.unreachable(), "The cluster is away");
    // Requests and watches on dead connections would wait for minutes.
    if (!reachable) this.close();
    onChange(reachable);
    if (!reachable) return;
    const parked = [...this.parked.values()];
    this.parked.clear();
    for (const again of parked) again();
  }

  private unreachable(): TsopError {
    const facts = { cluster: this.options.name, server: this.current.server, reason: messageOf(this.failure) };
    return new TsopError("TSOP_FLEET_CLUSTER_AWAY", facts, { cause: this.failure });
  }

  private suspect(): void {
    if (!this.isReachable || this.suspected) return;
    this.suspected = true;
    this.wake();
  }

  private async pause(ms: number, signal: AbortSignal): Promise<void> {
    const over = linkAbort(signal);
    this.wake = () => over.abort();
    await wait(this.options.clock, ms, over.signal);
    over.release();
  }
}

import { setMaxListeners } from "node:events";
import { abortable, pause } from "./abortable.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { ClientConfig } from "../config/config.ts";
import { connectionError } from "./connection-error.ts";
import type { ConnectionPool, PoolOptions } from "../connections/connection-pool.ts";
import { Credentials, type TlsMaterial } from "../config/credentials.ts";
import { openPool } from "../connections/open-pool.ts";
import type { RequestObserver } from "./request-observer.ts";
import { checkProxy, joinPath, serverUrl, tlsSettings } from "./server-endpoint.ts";
import { tokenBucket, type TokenBucket } from "./token-bucket.ts";
import type { Transport, TransportRequest, TransportResponse } from "../transport.ts";

/** The name of a transport, and the observer of its requests. */
export interface HttpTransportOptions {
  readonly userAgent?: string;
  /** Observes every request; for metrics. */
  readonly observer?: RequestObserver | undefined;
  /** Returns further headers of each request. */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
  /**
   * A short request without a byte for this long fails; the default is 90 seconds. Streams have a watchdog of their
   * own.
   */
  readonly idleTimeoutMs?: number;
  /** The time limit for a new connection, including TLS and proxies; the default is 30 seconds. */
  readonly connectTimeoutMs?: number;
  readonly credentials?: Credentials;
}

/** The default of client-go for a limit without burst. */
const defaultBurst = 10;

/**
 * Kept connections to one API server over HTTP/1.1.
 *
 * @example
 * const transport = new HttpTransport(await loadConfig(), { userAgent: "my-operator" });
 * const client = createClient({ transport });
 */
export class HttpTransport implements Transport {
  private readonly config: ClientConfig;
  private readonly observer: RequestObserver | undefined;
  private readonly extraHeaders: HttpTransportOptions["headers"];
  private readonly timeouts: Pick<PoolOptions, "idleTimeoutMs" | "connectTimeoutMs">;
  private readonly url: URL;
  private readonly credentials: Credentials;
  private readonly userAgent: string;
  private readonly bucket: TokenBucket | undefined;
  private pool: { readonly material: TlsMaterial | undefined; readonly connections: ConnectionPool } | undefined;

  constructor(config: ClientConfig, options: HttpTransportOptions = {}) {
    this.config = config;
    this.observer = options.observer;
    this.extraHeaders = options.headers;
    const { idleTimeoutMs = 90_000, connectTimeoutMs } = options;
    this.timeouts = { idleTimeoutMs, connectTimeoutMs };
    this.url = serverUrl(config.server);
    if (config.proxyUrl) checkProxy(config.proxyUrl);
    this.credentials = options.credentials ?? new Credentials(config);
    this.userAgent = options.userAgent ?? "tsop";
    const { qps = 0, burst = defaultBurst } = config;
    this.bucket = qps > 0 ? tokenBucket(qps, burst) : undefined;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    const observer = this.observer;
    const { method, signal } = request;
    const { host } = this.url;
    // All requests of a reconcile, or of the program, can share one signal.
    if (signal) setMaxListeners(0, signal);
    // Watches are not throttled: they are few, and everything may depend on them.
    if (this.bucket && !request.stream) await this.throttle(this.bucket, request);
    const started = performance.now();
    try {
      const first = await this.send(request);
      const again = first.status === 401 && (await this.credentials.refresh());
      const answer = again ? await this.sendAgain(first, request) : first;
      observer?.answered({ method, host, code: String(answer.status) });
      return answer;
    } catch (error) {
      observer?.answered({ method, host, code: "<error>" });
      throw error;
    } finally {
      observer?.took?.({ verb: method, host }, (performance.now() - started) / 1000);
    }
  }

  /** Reports to the observer that `request` is repeated. */
  retrying(request: TransportRequest, code: string): void {
    this.observer?.retried?.({ verb: request.method, host: this.url.host }, code);
  }

  /** Closes idle connections for good; running requests and streams may finish. */
  retire(): void {
    this.pool?.connections.retire();
  }

  close(): void {
    this.pool?.connections.close();
    this.pool = undefined;
  }

  private async throttle(bucket: TokenBucket, { method, signal }: TransportRequest): Promise<void> {
    const wait = bucket.take();
    try {
      if (wait > 0) await pause(wait, signal);
    } catch (error) {
      bucket.giveBack();
      throw error;
    }
    this.observer?.throttled?.({ verb: method, host: this.url.host }, wait / 1000);
  }

  private async sendAgain(refused: TransportResponse, request: TransportRequest): Promise<TransportResponse> {
    await refused.text();
    return this.send(request);
  }

  private send(request: TransportRequest): Promise<TransportResponse> {
    return abortable(this.exchange(request), request.signal);
  }

  private async exchange(request: TransportRequest): Promise<TransportResponse> {
    const { signal, body, method, stream } = request;
    const observer = this.observer;
    const failed = (error: Error): Error => {
      if (signal?.aborted) return signal.reason as Error;
      return error instanceof TsopError ? error : connectionError(this.config.server, error);
    };
    signal?.throwIfAborted();
    const auth = await this.credentials.headers();
    const pool = await this.currentPool();
    signal?.throwIfAborted();
    const labels = { verb: method, host: this.url.host };
    observer?.sent?.(labels, body === undefined ? 0 : Buffer.byteLength(body));
    try {
      return await pool.exchange({
        ...request,
        path: joinPath(this.url.pathname, request.path),
        headers: { "user-agent": this.userAgent, ...auth, ...this.extraHeaders?.(), ...request.headers },
        failed,
        onReceived: observer?.received && !stream ? (bytes) => observer.received?.(labels, bytes) : undefined,
      });
    } catch (error) {
      throw failed(error as Error);
    }
  }

  /** Returns the pool; creates a new one if an authority or client certificate has changed on disk. */
  private async currentPool(): Promise<ConnectionPool> {
    const secure = this.url.protocol === "https:";
    const material = secure ? await this.credentials.tlsMaterial() : undefined;
    if (this.pool && this.pool.material === material) return this.pool.connections;
    const connections = await this.makePool(material).catch((error: unknown) => {
      // A certificate and a key of which one is not written yet: the server decides if the previous pair is still valid.
      if (!this.pool) throw error;
      return this.pool.connections;
    });
    if (connections === this.pool?.connections) return connections;
    // Another request may have created it meanwhile.
    if (this.pool && this.pool.material === material) return this.pool.connections;
    this.pool?.connections.retire();
    this.pool = { material, connections };
    return connections;
  }

  private async makePool(material: TlsMaterial | undefined): Promise<ConnectionPool> {
    const config = this.config;
    const observer = this.observer;
    const { host } = this.url;
    const options: PoolOptions = {
      url: this.url,
      tls: material && tlsSettings(config, material),
      proxyUrl: config.proxyUrl,
      ...this.timeouts,
      onResolved: observer?.resolved && ((seconds) => observer.resolved?.(host, seconds)),
    };
    try {
      return await openPool(options);
    } catch (error) {
      throw connectionError(config.server, error as Error); // an invalid certificate or key
    }
  }
}

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "../../client/client.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import type { KeyPair } from "./certificate-watcher.ts";
import { startHttpServer, pageNotFound, plainText, type RunningServer } from "./http-server.ts";
import type { Logger } from "../log/logger.ts";
import { untilAborted } from "../../client/transport/abortable.ts";
import type { Runnable } from "../runnable.ts";
import {
  servingCertificate,
  type CertificateFolder,
  type CertificateSource,
  type TlsOptions,
} from "./serving-certificate.ts";
import { AccessFilter } from "../metrics/access-filter.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { addProcessMetrics } from "../metrics/load-prom-client.ts";

/** The address of the metrics and the access to them. */
export interface MetricsOptions extends CertificateFolder {
  /** `:8443`, `:8080`; `0` disables the server. */
  readonly bindAddress?: string | undefined;
  /**
   * Serves HTTPS, only to users that the API server authenticates and authorizes to `get` the path `/metrics`; the
   * default is false.
   */
  readonly secure?: boolean | undefined;
  /** Offers HTTP/2 as well, if secure; the default is false. */
  readonly http2?: boolean;
  readonly tls?: TlsOptions;
  /** Decides on access instead of the API server, also over HTTP: `() => undefined` allows everyone. */
  readonly filter?: MetricsFilter;
  /**
   * Measures the duration, size, retries and DNS lookups of requests to the API server in addition to their count. The
   * default is false, since this creates many time series.
   */
  readonly restClient?: boolean;
  /** Paths of the program in addition to `/metrics`. */
  readonly extraHandlers?: Readonly<Record<string, RequestListener>>;
}

/** Returns the refusal of a request to the metrics server; `undefined` allows it. */
export type MetricsFilter = (
  request: IncomingMessage,
) => { code: number; text: string } | undefined | Promise<{ code: number; text: string } | undefined>;

export interface MetricsServerParts {
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly clock: Clock;
  /** Asks the API server about the users of the metrics. */
  readonly client: Client;
}

const defaultDir = join(tmpdir(), "k8s-metrics-server", "serving-certs");

/** Serves `/metrics` and the paths that a program adds. */
export class MetricsServer implements Runnable {
  readonly needLeaderElection = false;
  private readonly options: MetricsOptions;
  private readonly parts: MetricsServerParts;
  private readonly filter: MetricsFilter | undefined;
  private running: RunningServer | undefined;
  private watcher: CertificateSource | undefined;
  private rendering: Promise<RenderedMetrics> | undefined;

  constructor(options: MetricsOptions, parts: MetricsServerParts) {
    if (options.extraHandlers && "/metrics" in options.extraHandlers) {
      throw new TsopError("TSOP_METRICS_PATH_TAKEN", { path: "/metrics" });
    }
    this.options = options;
    this.parts = parts;
    const access = options.secure && !options.filter ? new AccessFilter(parts) : undefined;
    this.filter = options.filter ?? (access && ((request) => access.check(request)));
  }

  /** The port, while it listens. */
  get port(): number | undefined {
    return this.running?.port;
  }

  /** Starts to listen; rejects if the certificate or the port is not available. A second call does nothing. */
  async listen(): Promise<void> {
    if (this.running) return;
    const { bindAddress = "0", secure = false } = this.options;
    const { log, clock, metrics } = this.parts;
    const onChange = (pair: KeyPair): void => this.running?.setSecureContext(pair);
    const certificate = secure
      ? await servingCertificate({ ...this.options, defaultDir, log, clock, metrics, onChange })
      : undefined;
    this.watcher = certificate?.watcher;
    log.info("Starting metrics server");
    this.running = await startHttpServer({
      what: "metrics",
      flag: "--metrics-bind-address",
      address: bindAddress,
      tls: certificate && { minVersion: "TLSv1.2", ...this.options.tls, ...certificate.pair },
      http2: this.options.http2,
      handler: (request, response) => void this.answer(request, response),
    });
    // The actual port, if a free one was requested.
    log.info("Serving metrics server", { bindAddress: bindAddress.replace(/:0$/, `:${this.running.port}`), secure });
  }

  async start(signal: AbortSignal): Promise<void> {
    await this.listen();
    await Promise.all([untilAborted(signal), this.watcher?.start(signal)]);
    this.parts.log.info("Shutting down metrics server with timeout of 1 minute");
    await this.running?.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const refusal = await this.filter?.(request);
      if (refusal) return plainText(response, refusal.code, `${refusal.text}\n`);
      const path = (request.url ?? "/").split("?")[0]!;
      const extra = this.options.extraHandlers?.[path];
      if (extra) return extra(request, response);
      if (path !== "/metrics") return pageNotFound(response);
      const { contentType, text } = await this.render();
      response.writeHead(200, { "content-type": contentType }).end(text);
    } catch (error) {
      const hint = error instanceof TsopError ? { hint: error.hint } : {};
      this.parts.log.error(error, "Failed to answer", { path: request.url, ...hint });
      plainText(response, 500, "internal server error\n");
    }
  }

  /**
   * Renders the metrics, which takes milliseconds: requests that come meanwhile get the same text, so that a client with
   * thousands of them does not hold up the reconciles.
   */
  private render(): Promise<RenderedMetrics> {
    this.rendering ??= renderMetrics(this.parts.metrics).finally(() => (this.rendering = undefined));
    return this.rendering;
  }
}

interface RenderedMetrics {
  readonly contentType: string;
  readonly text: string;
}

async function renderMetrics(metrics: Metrics): Promise<RenderedMetrics> {
  const registry = await metrics.registry();
  await addProcessMetrics(registry);
  return { contentType: registry.contentType, text: await registry.metrics() };
}

import { readFile } from "node:fs/promises";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { connect } from "node:tls";
import type { Client } from "../../client/client.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { KeyPair } from "../servers/certificate-watcher.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import type { HealthCheck } from "../servers/health.ts";
import { startHttpServer, pageNotFound, type RunningServer } from "../servers/http-server.ts";
import type { Logger } from "../log/logger.ts";
import type { Metrics, WebhookMetrics } from "../metrics/metrics.ts";
import { untilAborted } from "../../client/transport/abortable.ts";
import type { Runnable } from "../runnable.ts";
import {
  servingCertificate,
  type CertificateFolder,
  type CertificateSource,
  type TlsOptions,
} from "../servers/serving-certificate.ts";
import type { AdmissionHandler } from "./admission.ts";
import { answerAdmission, type AdmissionWebhookOptions } from "./admission-endpoint.ts";
import { BodyRoom } from "./body-room.ts";
import { answerConversion } from "./conversion-endpoint.ts";
import type { Converter } from "./converter.ts";
import { answerTokenReview, type TokenReviewHandler } from "./token-review-endpoint.ts";
import { OwnCertificate } from "./own-certificate.ts";

/** The address and certificate of the webhook server. */
export interface WebhookOptions extends CertificateFolder {
  /** The default is 9443; 0 takes a free port, -1 disables the server. */
  readonly port?: number;
  /** The default is all addresses. */
  readonly host?: string;
  /** A file in the certificate's folder with an authority; clients must then present a certificate that it issued. */
  readonly clientCAName?: string;
  /** Offers HTTP/2 as well; the default is false. */
  readonly http2?: boolean;
  readonly tls?: TlsOptions;
  /**
   * The Service in front of the webhooks, in the operator's namespace. If no folder holds a certificate, the server
   * issues one for it, stores it in the Secret of that name, and makes the API server trust it.
   */
  readonly service?: string | undefined;
}

export interface WebhookServerParts {
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics | undefined;
  /** The cluster in which the API server must trust the server's certificate. */
  readonly cluster?: { readonly client: Client; readonly namespace: string };
  /** A certificate that the API server trusts already. */
  readonly trusted?: KeyPair | undefined;
}

/**
 * Returns the body of the response; `undefined` if the request is not a review, `answered` if the response has been
 * sent.
 */
type Endpoint = (request: IncomingMessage, response: ServerResponse) => Promise<object | "answered" | undefined>;

const defaultDir = join(tmpdir(), "k8s-webhook-server", "serving-certs");
const pathPattern = /^((\/[a-zA-Z0-9-_]+)+|\/)$/;
const conversionPath = "/convert";

/** Serves admission and conversion webhooks over HTTPS, on every replica and not only on the leader. */
export class WebhookServer implements Runnable {
  readonly needLeaderElection = false;
  private readonly options: WebhookOptions;
  private readonly parts: WebhookServerParts;
  private readonly endpoints = new Map<string, { answer: Endpoint; metrics: WebhookMetrics | undefined }>();
  private readonly converters = new Map<string, Converter>();
  private readonly room = new BodyRoom();
  private running: RunningServer | undefined;
  private watcher: CertificateSource | undefined;

  constructor(options: WebhookOptions, parts: WebhookServerParts) {
    this.options = options;
    this.parts = parts;
  }

  /** The port, while the server listens. */
  get port(): number | undefined {
    return this.running?.port;
  }

  /** Handles admission reviews at a path; throws if the path is taken. */
  register(path: string, handler: AdmissionHandler, options: AdmissionWebhookOptions = {}): void {
    const { log, metrics } = this.parts;
    const endpoint = { ...options, log, room: this.room, onPanic: () => metrics?.webhookPanic(false) };
    this.addEndpoint(path, (request) => answerAdmission(request, handler, endpoint));
    log.info("Registering webhook", { path });
  }

  /** Handles token reviews at a path, for an API server with webhook authentication. */
  registerTokenReview(path: string, handler: TokenReviewHandler): void {
    const { log, metrics } = this.parts;
    const options = { log, room: this.room, onPanic: () => metrics?.webhookPanic(false) };
    this.addEndpoint(path, (request) => answerTokenReview(request, handler, options));
    log.info("Registering webhook", { path });
  }

  /** Passes all requests for a path to a listener, which must respond to them. */
  registerListener(path: string, listener: RequestListener): void {
    this.addEndpoint(path, async (request, response) => {
      listener(request, response);
      await finished(response);
      return "answered";
    });
  }

  has(path: string): boolean {
    return this.endpoints.has(path);
  }

  /** Handles conversion reviews of a kind at `/convert`. */
  registerConverter(converter: Converter): void {
    const { log, metrics } = this.parts;
    this.converters.set(converter.groupKind, converter);
    if (this.has(conversionPath)) return;
    const options = { log, room: this.room, onPanic: () => metrics?.webhookPanic(true) };
    this.addEndpoint(conversionPath, (request) => answerConversion(request, this.converters, options));
  }

  /** Healthy if the server accepts TLS connections, or is disabled. */
  startedChecker(): HealthCheck {
    return async () => {
      if (this.isDisabled) return;
      const { port } = this;
      if (port === undefined) throw new Error("webhook server has not been started yet");
      await dial(port, this.options.host ?? "localhost");
    };
  }

  /** Starts to listen; rejects if the certificate or the port is not available. A second call does nothing. */
  async listen(): Promise<void> {
    if (this.running || this.isDisabled) return;
    const { log, clock, metrics } = this.parts;
    const { host = "", port = 9443 } = this.options;
    log.info("Starting webhook server");
    const clientAuth = await this.clientAuth();
    const onChange = (fresh: KeyPair): void => this.running?.setSecureContext(fresh);
    const { pair, watcher } = await servingCertificate({
      ...this.options,
      defaultDir,
      log,
      clock,
      metrics,
      onChange,
      trusted: this.options.service ? undefined : this.parts.trusted,
      otherwise: this.ownCertificate(onChange),
    });
    this.watcher = watcher;
    this.running = await startHttpServer({
      what: "webhook",
      flag: "--webhook-port",
      off: "-1",
      address: `${host.includes(":") ? `[${host}]` : host}:${port}`,
      tls: { minVersion: "TLSv1.2", ...this.options.tls, ...pair, ...clientAuth },
      http2: this.options.http2,
      handler: (request, response) => void this.answer(request, response),
    });
    log.info("Serving webhook server", { host, port: this.running.port });
  }

  async start(signal: AbortSignal): Promise<void> {
    await this.listen();
    await Promise.all([untilAborted(signal), this.watcher?.start(signal)]);
    this.parts.log.info("Shutting down webhook server with timeout of 1 minute");
    await this.running?.close();
  }

  private get isDisabled(): boolean {
    return this.options.port === -1;
  }

  private addEndpoint(path: string, answer: Endpoint): void {
    if (!pathPattern.test(path)) throw new TsopError("TSOP_WEBHOOK_PATH_INVALID", { path });
    if (this.has(path)) throw new TsopError("TSOP_WEBHOOK_PATH_TAKEN", { path });
    this.endpoints.set(path, { answer, metrics: this.parts.metrics?.webhook(path) });
  }

  private ownCertificate(onChange: (pair: KeyPair) => void): OwnCertificate | undefined {
    const { service } = this.options;
    const { cluster, log, clock } = this.parts;
    if (!service || !cluster) return undefined;
    const { client, namespace } = cluster;
    return new OwnCertificate({ client, service: { namespace, name: service }, log, clock, onChange });
  }

  private async clientAuth(): Promise<{ ca?: string; requestCert?: true; rejectUnauthorized?: true }> {
    const { clientCAName, certDir } = this.options;
    if (!clientCAName) return {};
    const ca = await readFile(join(certDir ?? defaultDir, clientCAName), "utf8");
    return { ca, requestCert: true, rejectUnauthorized: true };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ""] = (request.url ?? "").split("?");
    const endpoint = this.endpoints.get(path);
    if (!endpoint) {
      // An API server reports only that something was not found.
      if (request.method === "POST")
        this.parts.log.info("No webhook is registered for the path of a request", {
          path,
          paths: [...this.endpoints.keys()],
        });
      return pageNotFound(response);
    }
    const { metrics } = endpoint;
    const started = this.parts.clock.now();
    metrics?.inFlight(1);
    const code = await this.respond(endpoint.answer, request, response);
    metrics?.inFlight(-1);
    metrics?.served(code, (this.parts.clock.now() - started) / 1000);
  }

  private async respond(answer: Endpoint, request: IncomingMessage, response: ServerResponse): Promise<number> {
    try {
      const body = await answer(request, response);
      if (body === "answered") return response.statusCode;
      if (!body) {
        response.writeHead(400, { "content-type": "text/plain; charset=utf-8" }).end();
        return 400;
      }
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      return 200;
    } catch (error) {
      this.parts.log.error(error, "Failed to answer a webhook request", { path: request.url });
      if (!response.headersSent) response.writeHead(500);
      response.end();
      return 500;
    }
  }
}

function dial(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // The check only needs a handshake, whoever issued the certificate.
    const socket = connect({ port, host, rejectUnauthorized: false, timeout: 10_000 }, () => {
      socket.end();
      resolve();
    });
    socket.once("timeout", () => socket.destroy(new Error("the webhook server does not answer")));
    socket.once("error", reject);
  });
}

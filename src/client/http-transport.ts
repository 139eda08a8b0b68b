import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest, type AgentOptions, type RequestOptions } from "node:https";
import type { Socket } from "node:net";
import { TsopError } from "../errors/tsop-error.ts";
import type { ClientConfig } from "./config.ts";
import { connectionError } from "./connection-error.ts";
import { Credentials, type TlsMaterial } from "./credentials.ts";
import { ProxyAgent } from "./proxy-agent.ts";
import type { Transport, TransportRequest, TransportResponse } from "./transport.ts";

export interface HttpTransportOptions {
  readonly userAgent?: string;
  /** Called once for every answer, or failure to get one; for metrics. */
  readonly onAnswer?: (answer: { method: string; host: string; code: string }) => void;
  /** A short request without a byte for this long is given up. Streams have their own watchdog. */
  readonly idleTimeoutMs?: number;
  readonly credentials?: Credentials;
}

const connectTimeoutMs = 30_000;
/** Below the 90 s after which servers close idle connections, so that a request never meets a closing one. */
const freeSocketTimeoutMs = 60_000;
const maxSockets = 100;
const keepAliveMs = 30_000;

interface Pool {
  readonly material: TlsMaterial | undefined;
  readonly short: HttpAgent | HttpsAgent;
  readonly streams: HttpAgent | HttpsAgent;
}

/** Keep-alive connections to one API server. Streams never take a connection from short requests. */
export class HttpTransport implements Transport {
  private readonly config: ClientConfig;
  private readonly options: HttpTransportOptions;
  private readonly url: URL;
  private readonly credentials: Credentials;
  private readonly userAgent: string;
  private pool: Pool | undefined;

  constructor(config: ClientConfig, options: HttpTransportOptions = {}) {
    this.config = config;
    this.options = options;
    this.url = serverUrl(config.server);
    this.credentials = options.credentials ?? new Credentials(config);
    this.userAgent = options.userAgent ?? "tsop";
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    const { onAnswer } = this.options;
    const { method } = request;
    const host = this.url.host;
    try {
      const first = await this.send(request);
      const answer = first.status === 401 && this.credentials.refresh() ? await this.sendAgain(first, request) : first;
      onAnswer?.({ method, host, code: String(answer.status) });
      return answer;
    } catch (error) {
      onAnswer?.({ method, host, code: "<error>" });
      throw error;
    }
  }

  close(): void {
    this.pool?.short.destroy();
    this.pool?.streams.destroy();
    this.pool = undefined;
  }

  private async sendAgain(refused: TransportResponse, request: TransportRequest): Promise<TransportResponse> {
    await refused.text();
    return this.send(request);
  }

  private async send(request: TransportRequest): Promise<TransportResponse> {
    const { signal, body } = request;
    signal?.throwIfAborted();
    const [auth, pool] = await Promise.all([this.credentials.headers(), this.currentPool()]);
    const headers = { "user-agent": this.userAgent, ...auth, ...request.headers };
    const options: RequestOptions = {
      agent: request.stream ? pool.streams : pool.short,
      protocol: this.url.protocol,
      hostname: this.url.hostname.replace(/^\[|\]$/g, ""),
      port: this.url.port,
      method: request.method,
      path: joinPath(this.url.pathname, request.path),
      headers: body === undefined ? headers : { ...headers, "content-length": String(Buffer.byteLength(body)) },
      ...(signal ? { signal } : {}),
    };
    const outgoing = this.url.protocol === "https:" ? httpsRequest(options) : httpRequest(options);
    return this.exchange(outgoing, request);
  }

  private exchange(outgoing: ClientRequest, request: TransportRequest): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      outgoing.once("response", (incoming) => resolve(new HttpResponse(incoming)));
      outgoing.once("error", (error) => {
        reject(request.signal?.aborted ? request.signal.reason : connectionError(this.config.server, error));
      });
      outgoing.once("socket", (socket) => watchOver(socket));
      if (!request.stream) {
        const limit = this.options.idleTimeoutMs ?? 90_000;
        outgoing.setTimeout(limit, () => outgoing.destroy(new Error(`no answer within ${limit / 1000} s`)));
      }
      outgoing.end(request.body);
    });
  }

  /** The pool, made anew when an authority or client certificate has changed on disk. */
  private async currentPool(): Promise<Pool> {
    const secure = this.url.protocol === "https:";
    const material = secure ? await this.credentials.tlsMaterial() : undefined;
    if (this.pool && this.pool.material === material) return this.pool;
    this.pool?.short.destroy();
    const make = secure ? (extra: object) => this.httpsAgent({ ...this.tlsOptions(material!), ...extra }) : httpAgent;
    const pool = {
      material,
      short: make({ keepAlive: true, maxSockets, scheduling: "lifo", timeout: freeSocketTimeoutMs }),
      streams: make({ keepAlive: false }),
    };
    this.pool = pool;
    return pool;
  }

  private httpsAgent(options: AgentOptions): HttpsAgent {
    const { proxyUrl } = this.config;
    return proxyUrl ? new ProxyAgent(new URL(proxyUrl), options) : new HttpsAgent(options);
  }

  private tlsOptions(material: TlsMaterial): object {
    const { insecureSkipTlsVerify, tlsServerName } = this.config;
    return {
      ...material,
      minVersion: "TLSv1.2",
      rejectUnauthorized: !insecureSkipTlsVerify,
      ...(tlsServerName ? { servername: tlsServerName } : {}),
    };
  }
}

class HttpResponse implements TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.status = incoming.statusCode ?? 0;
    this.headers = incoming.headers;
    this.body = incoming;
  }

  text(): Promise<string> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      this.body.on("data", (chunk: Buffer) => chunks.push(chunk));
      this.body.once("end", () =>
        resolve(chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString()),
      );
      this.body.once("error", reject);
    });
  }
}

function httpAgent(extra: object): HttpAgent {
  return new HttpAgent(extra);
}

function serverUrl(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new TsopError("TSOP_SERVER_URL_INVALID", { server: server || '""' });
  }
  return url;
}

/** A server behind a path prefix, as Rancher has it. */
function joinPath(prefix: string, path: string): string {
  return prefix === "/" ? path : `${prefix.replace(/\/$/, "")}${path}`;
}

function watchOver(socket: Socket): void {
  // Finds out about a peer that is gone without a word, on a watch that nobody writes to.
  socket.setKeepAlive(true, keepAliveMs);
  if (!socket.connecting) return;
  const timer = setTimeout(() => {
    socket.destroy(Object.assign(new Error("connecting took too long"), { code: "ETIMEDOUT" }));
  }, connectTimeoutMs);
  timer.unref();
  const stop = (): void => clearTimeout(timer);
  socket.once("connect", stop);
  socket.once("close", stop);
}

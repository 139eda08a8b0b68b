import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from "node:https";
import type { Socket } from "node:net";
import {
  defaultConnectTimeoutMs,
  hostOf,
  idleConnectionMs,
  keepAliveMs,
  type ConnectionPool,
  type PoolOptions,
  type PoolRequest,
} from "./connection-pool.ts";
import { eachChunk, lost } from "./each-chunk.ts";
import { ProxyAgent } from "./proxy-agent.ts";
import type { TransportResponse } from "./transport.ts";

const maxSockets = 100;

/** Keep-alive connections of HTTP/1.1. Streams never take a connection from short requests. */
export class Http1Pool implements ConnectionPool {
  private readonly options: PoolOptions;
  private readonly short: HttpAgent | HttpsAgent;
  private readonly streams: HttpAgent | HttpsAgent;

  constructor(options: PoolOptions) {
    this.options = options;
    this.short = agent(options, { keepAlive: true, maxSockets, scheduling: "lifo", timeout: idleConnectionMs });
    this.streams = agent(options, { keepAlive: false });
  }

  exchange(request: PoolRequest): Promise<TransportResponse> {
    const { url } = this.options;
    const { method, path, headers, body, signal } = request;
    const options: RequestOptions = {
      agent: request.stream ? this.streams : this.short,
      protocol: url.protocol,
      hostname: hostOf(url),
      port: url.port,
      method,
      path,
      headers: body === undefined ? headers : { ...headers, "content-length": String(Buffer.byteLength(body)) },
      ...(signal ? { signal } : {}),
    };
    return this.send(url.protocol === "https:" ? httpsRequest(options) : httpRequest(options), request);
  }

  retire(): void {
    for (const sockets of Object.values(this.short.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  close(): void {
    this.short.destroy();
    this.streams.destroy();
  }

  private send(outgoing: ClientRequest, request: PoolRequest): Promise<TransportResponse> {
    const { idleTimeoutMs: limit } = this.options;
    return new Promise((resolve, reject) => {
      outgoing.once("response", (incoming) => resolve(new Http1Response(incoming, request)));
      outgoing.once("error", reject);
      outgoing.once("socket", (socket) => {
        // Finds out about a peer that is gone without a word, on a watch that nobody writes to.
        socket.setKeepAlive(true, keepAliveMs);
        if (!outgoing.reusedSocket) watchOver(socket, this.options);
      });
      if (!request.stream) {
        outgoing.setTimeout(limit, () => outgoing.destroy(new Error(`no answer within ${limit / 1000} s`)));
      }
      outgoing.end(request.body);
    });
  }
}

class Http1Response implements TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  private readonly incoming: IncomingMessage;
  private readonly request: Pick<PoolRequest, "failed" | "onReceived">;

  constructor(incoming: IncomingMessage, request: Pick<PoolRequest, "failed" | "onReceived">) {
    this.status = incoming.statusCode ?? 0;
    this.headers = incoming.headers;
    this.incoming = incoming;
    this.request = request;
  }

  get body(): AsyncIterable<Uint8Array> {
    return eachChunk(this.incoming, this.request.failed);
  }

  text(): Promise<string> {
    const { incoming, request } = this;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const broken = (error: Error): void => reject(request.failed(error));
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.once("end", () => {
        const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
        request.onReceived?.(whole.length);
        resolve(whole.toString());
      });
      incoming.once("error", broken);
      if (incoming.destroyed) broken(lost());
    });
  }
}

function agent({ url, tls, proxyUrl, connectTimeoutMs }: PoolOptions, options: object): HttpAgent | HttpsAgent {
  const made = tls ? secureAgent(proxyUrl, { ...tls, ...options, connectTimeoutMs }) : new HttpAgent(options);
  // All its connections go to one place. Node would put a name together from every option, certificates too, several
  // times for each request.
  made.getName = () => url.host;
  return made;
}

function secureAgent(proxyUrl: string | undefined, options: object): HttpsAgent {
  return proxyUrl ? new ProxyAgent(new URL(proxyUrl), options) : new HttpsAgent(options);
}

/** A new connection has so much time, with TLS if it does that. */
function watchOver(socket: Socket, { onResolved, connectTimeoutMs = defaultConnectTimeoutMs }: PoolOptions): void {
  const timer = setTimeout(() => {
    socket.destroy(Object.assign(new Error("connecting took too long"), { code: "ETIMEDOUT" }));
  }, connectTimeoutMs);
  timer.unref();
  const stop = (): void => clearTimeout(timer);
  socket.once("encrypted" in socket ? "secureConnect" : "connect", stop);
  socket.once("close", stop);
  if (!onResolved) return;
  const started = performance.now();
  socket.once("lookup", () => onResolved((performance.now() - started) / 1000));
}

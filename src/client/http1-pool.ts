import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from "node:https";
import type { Socket } from "node:net";
import {
  connectTimeoutMs,
  hostOf,
  idleConnectionMs,
  keepAliveMs,
  type ConnectionPool,
  type PoolOptions,
  type PoolRequest,
} from "./connection-pool.ts";
import { eachChunk } from "./each-chunk.ts";
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
    const { idleTimeoutMs: limit, onResolved } = this.options;
    return new Promise((resolve, reject) => {
      outgoing.once("response", (incoming) => resolve(new Http1Response(incoming, request.onReceived)));
      outgoing.once("error", reject);
      outgoing.once("socket", (socket) => watchOver(socket, onResolved));
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
  private readonly onReceived: PoolRequest["onReceived"];

  constructor(incoming: IncomingMessage, onReceived: PoolRequest["onReceived"]) {
    this.status = incoming.statusCode ?? 0;
    this.headers = incoming.headers;
    this.incoming = incoming;
    this.onReceived = onReceived;
  }

  get body(): AsyncIterable<Uint8Array> {
    return eachChunk(this.incoming);
  }

  text(): Promise<string> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      this.incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      this.incoming.once("end", () => {
        const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
        this.onReceived?.(whole.length);
        resolve(whole.toString());
      });
      this.incoming.once("error", reject);
    });
  }
}

function agent({ url, tls, proxyUrl }: PoolOptions, options: object): HttpAgent | HttpsAgent {
  const made = tls ? secureAgent(proxyUrl, { ...tls, ...options }) : new HttpAgent(options);
  // All its connections go to one place. Node would put a name together from every option, certificates too, several
  // times for each request.
  made.getName = () => url.host;
  return made;
}

function secureAgent(proxyUrl: string | undefined, options: object): HttpsAgent {
  return proxyUrl ? new ProxyAgent(new URL(proxyUrl), options) : new HttpsAgent(options);
}

function watchOver(socket: Socket, onResolved: PoolOptions["onResolved"]): void {
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
  if (!onResolved) return;
  const started = performance.now();
  socket.once("lookup", () => onResolved((performance.now() - started) / 1000));
}

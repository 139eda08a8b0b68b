import { request as httpRequest, type Agent as HttpAgent, type ClientRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest, type Agent as HttpsAgent, type RequestOptions } from "node:https";
import { createSecureContext } from "node:tls";
import {
  hostOf,
  idleConnectionMs,
  keepAliveMs,
  maxSockets,
  type ConnectionPool,
  type PoolOptions,
  type PoolRequest,
} from "./connection-pool.ts";
import { broken } from "./http1-answer.ts";
import { eachChunk } from "./each-chunk.ts";
import { lost } from "./lost.ts";
import { createAgent, routeOf, type ProxyOptions, type Route } from "./proxy-route.ts";
import type { TransportResponse } from "../transport.ts";
import { ResponseDeadline } from "./response-deadline.ts";
import { onceOpen, watchOver } from "./watch-over.ts";
import { writeRequest } from "./write-request.ts";

export type ProxyPoolOptions = PoolOptions & ProxyOptions;

/** HTTP/1.1 through a proxy, by Node's client with its agents. Loaded only for proxies. */
export class ProxyPool implements ConnectionPool {
  private readonly options: ProxyPoolOptions;
  private readonly route: Route;
  private readonly streams: HttpAgent | HttpsAgent;
  private readonly kept: HttpAgent | HttpsAgent;

  constructor(options: ProxyPoolOptions) {
    this.options = options;
    this.route = routeOf(options);
    const { tls } = options;
    const secure = { ...tls, secureContext: tls && createSecureContext(tls) };
    this.streams = createAgent(options, { ...secure, keepAlive: false });
    const keep = {
      keepAlive: true,
      keepAliveMsecs: keepAliveMs,
      timeout: idleConnectionMs,
      scheduling: "lifo",
    } as const;
    this.kept = createAgent(options, { ...secure, ...keep, maxSockets });
  }

  exchange(request: PoolRequest): Promise<TransportResponse> {
    const { to, prefix, headers: ofRoute } = this.route;
    const { method, path, headers, body, signal, stream } = request;
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const options: RequestOptions = {
      agent: stream ? this.streams : this.kept,
      protocol: to.protocol,
      hostname: hostOf(to),
      port: to.port,
      method,
      path: `${prefix}${path}`,
      headers: { ...ofRoute, ...headers, ...length },
      ...(signal ? { signal } : {}),
    };
    return this.send(to.protocol === "https:" ? httpsRequest(options) : httpRequest(options), request);
  }

  retire(): void {
    for (const sockets of Object.values(this.kept.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  close(): void {
    this.kept.destroy();
    this.streams.destroy();
  }

  private send(outgoing: ClientRequest, request: PoolRequest): Promise<TransportResponse> {
    const { idleTimeoutMs: limit } = this.options;
    const { fence, body } = request;
    return new Promise((resolve, reject) => {
      const write = (): void => {
        if (!fence) return void outgoing.end(body);
        writeRequest(outgoing, Buffer.from(body ?? ""), fence, (error) => {
          if (error) outgoing.destroy(error as Error);
          else outgoing.end();
        });
      };
      outgoing.once("response", (incoming) => {
        const { statusCode: status = 0 } = incoming;
        if (status < 200) outgoing.destroy(broken(`it has the status ${status}`));
        else resolve(new StreamedResponse(incoming, request, new ResponseDeadline(limit)));
      });
      outgoing.once("error", reject);
      outgoing.once("socket", (socket) => {
        if (!outgoing.reusedSocket) watchOver(socket, this.options);
        if (outgoing.reusedSocket) write();
        else onceOpen(socket, write);
      });
      if (!request.stream) {
        const late = (): void => void outgoing.destroy(new Error(`no response within ${limit / 1000} s`));
        outgoing.setTimeout(limit, late);
        // Informational responses, or a head that never ends, do not count as an answer.
        outgoing.once("finish", () => {
          const timer = setTimeout(late, limit);
          outgoing.once("response", () => clearTimeout(timer)).once("close", () => clearTimeout(timer));
        });
      }
    });
  }
}

class StreamedResponse implements TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  private readonly incoming: IncomingMessage;
  private readonly request: Pick<PoolRequest, "failed" | "onReceived">;

  private readonly deadline: ResponseDeadline;

  constructor(
    incoming: IncomingMessage,
    request: Pick<PoolRequest, "failed" | "onReceived">,
    deadline: ResponseDeadline,
  ) {
    this.status = incoming.statusCode ?? 0;
    this.headers = incoming.headers;
    this.incoming = incoming;
    this.deadline = deadline;
    this.request = request;
  }

  get body(): AsyncIterable<Uint8Array> {
    return eachChunk(this.incoming, this.request.failed);
  }

  text(): Promise<string> {
    const incoming = this.incoming;
    const request = this.request;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const broken = (error: Error): void => reject(request.failed(error));
      incoming.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        try {
          this.deadline.check(true);
        } catch (error) {
          incoming.destroy(error as Error);
        }
      });
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

import type { EventEmitter } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { ServerHttp2Session } from "node:http2";
import { createServer as createTlsServer, type Server as TlsServer, type ServerOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { avoidParserPause } from "../../apimachinery/certificates/avoid-parser-pause.ts";
import type { KeyPair } from "./certificate-watcher.ts";
import { TsopError } from "../../errors/tsop-error.ts";

export interface HttpServerOptions {
  /** The name in messages: `metrics`, `health probe` … */
  readonly what: string;
  /** The flag of the address, for the hint. */
  readonly flag: string;
  /** The value of the flag that turns the server off: 0 by default. */
  readonly off?: string;
  /** `:8081`, `127.0.0.1:8081`, `[::1]:8081`; port 0 takes a free port. */
  readonly address: string;
  readonly tls?: ServerOptions | undefined;
  /** Offers HTTP/2 in addition to HTTP/1.1; only with TLS. */
  readonly http2?: boolean | undefined;
  readonly handler: RequestListener;
  /** The time that running requests have when it closes; the default is a minute. */
  readonly drainMs?: number | undefined;
}

export interface RunningServer {
  readonly port: number;
  /** Uses another certificate for new connections, with the other options of TLS as before. */
  setSecureContext(pair: KeyPair): void;
  /** Stops listening, waits a limited time for running requests, and closes. */
  close(): Promise<void>;
}

/** The limits of controller-runtime's servers. */
const limits = { maxHeaderSize: 1024 * 1024, headersTimeout: 32_000, keepAliveTimeout: 90_000 };
const defaultDrainMs = 60_000;

/** Reports whether a bind address disables a server. */
export function isOff(address: string | undefined): boolean {
  return address === undefined || address === "" || address === "0";
}

/** Listens; rejects with a TsopError that names the address and the flag if it cannot. */
export async function startHttpServer(options: HttpServerOptions): Promise<RunningServer> {
  const { host, port } = parseAddress(options.address);
  const server = await createListener(options);
  if (options.tls) avoidParserPause(server);
  const connections = watchConnections(server, options.tls ? "secureConnection" : "connection");
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const { what, flag, off = "0", address } = options;
      const reason = error.code === "EADDRINUSE" ? "the port is in use" : error.message;
      reject(new TsopError("TSOP_BIND_FAILED", { what, flag, off, address, reason }, { cause: error }));
    });
    server.listen({ port, ...(host ? { host } : {}) }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    setSecureContext: (pair) => (server as TlsServer).setSecureContext({ ...options.tls, ...pair }),
    close: () => close(server, connections, options.drainMs ?? defaultDrainMs),
  };
}

async function createListener({ tls, http2, handler }: HttpServerOptions): Promise<Server> {
  if (!tls) return createServer(limits, handler);
  if (!http2) return createTlsServer({ ...limits, ...tls }, handler);
  const { createSecureServer } = await import("node:http2");
  // Node's HTTP/2 requests and responses have the same interface, but other types.
  const compatible = handler as unknown as Parameters<typeof createSecureServer>[1];
  return createSecureServer({ ...tls, allowHTTP1: true }, compatible) as unknown as Server;
}

function parseAddress(address: string): { host: string; port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(address);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) throw new TsopError("TSOP_BIND_ADDRESS_INVALID", { address });
  return { host: match[1] ?? match[2] ?? "", port };
}

interface Connections {
  readonly all: ReadonlySet<Socket>;
  /** Connections without a request so far: clients keep some in reserve, and Node does not count them as idle. */
  readonly unused: ReadonlySet<Socket>;
  readonly http2Sessions: ReadonlySet<ServerHttp2Session>;
}

function watchConnections(server: Server, established: "connection" | "secureConnection"): Connections {
  const [all, unused, http2Sessions] = [new Set<Socket>(), new Set<Socket>(), new Set<ServerHttp2Session>()];
  const keep = <T extends EventEmitter>(set: Set<T>, item: T): void => {
    set.add(item);
    item.once("close", () => set.delete(item));
  };
  server.on("connection", (socket: Socket) => keep(all, socket));
  server.on(established, (socket: Socket) => {
    if (!server.listening) socket.destroy();
    else if (!("alpnProtocol" in socket) || socket.alpnProtocol !== "h2") keep(unused, socket);
  });
  server.on("session", (session: ServerHttp2Session) => keep(http2Sessions, session));
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    unused.delete(socket);
    // A request that ends while the server closes must not keep its connection.
    response.once("close", () => setImmediate(() => !server.listening && server.closeIdleConnections?.()));
  });
  return { all, unused, http2Sessions };
}

function close(server: Server, { all, unused, http2Sessions }: Connections, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      for (const socket of all) socket.destroy();
    }, drainMs);
    force.unref();
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections?.();
    for (const socket of unused) socket.destroy();
    for (const session of http2Sessions) session.close();
  });
}

/** Responds with plain text that browsers do not interpret, as Go's servers do. */
export function plainText(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" });
  response.end(text);
}

export function pageNotFound(response: ServerResponse): void {
  plainText(response, 404, "404 page not found\n");
}

const base = "http://localhost";

/** Returns the URL of a request; `undefined` if a client sent an invalid one, such as `GET //`. */
export function requestUrl({ url = "/" }: Pick<IncomingMessage, "url">): URL | undefined {
  return URL.canParse(url, base) ? new URL(url, base) : undefined;
}

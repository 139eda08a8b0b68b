import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { TsopError } from "../errors/tsop-error.ts";

export interface HttpServerOptions {
  /** For messages: `metrics`, `health probe` … */
  readonly what: string;
  /** The flag that sets the address, for the hint. */
  readonly flag: string;
  /** `:8081`, `127.0.0.1:8081`, `[::1]:8081`; port 0 takes a free one. */
  readonly address: string;
  readonly tls?: ServerOptions | undefined;
  readonly handler: RequestListener;
}

export interface RunningServer {
  readonly port: number;
  readonly server: Server;
  /** Stops listening, lets requests under way finish for a minute, and closes. */
  close(): Promise<void>;
}

/** Limits of controller-runtime's own servers. */
const limits = { maxHeaderSize: 1024 * 1024, headersTimeout: 32_000, keepAliveTimeout: 90_000 };
const drainMs = 60_000;

/** True if a bind address switches a server off. */
export function isOff(address: string | undefined): boolean {
  return address === undefined || address === "" || address === "0";
}

/** Listens; rejects with a TsopError that names the address and the flag when it can't. */
export async function startHttpServer(options: HttpServerOptions): Promise<RunningServer> {
  const { host, port } = parseAddress(options.address);
  const { tls, handler } = options;
  const server = tls ? createTlsServer({ ...limits, ...tls }, handler) : createServer(limits, handler);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const { what, flag, address } = options;
      const reason = error.code === "EADDRINUSE" ? "the port is in use" : error.message;
      reject(new TsopError("TSOP_BIND_FAILED", { what, flag, address, reason }, { cause: error }));
    });
    server.listen({ port, ...(host ? { host } : {}) }, resolve);
  });
  return { port: (server.address() as AddressInfo).port, server, close: () => close(server) };
}

function parseAddress(address: string): { host: string; port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(address);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) throw new TsopError("TSOP_BIND_ADDRESS_INVALID", { address });
  return { host: match[1] ?? match[2] ?? "", port };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), drainMs);
    force.unref();
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}

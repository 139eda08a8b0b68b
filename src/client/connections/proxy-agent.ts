import { Agent as HttpAgent, request } from "node:http";
import { Agent, request as httpsRequest, type AgentOptions } from "node:https";
import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";
import { defaultConnectTimeoutMs, hostOf } from "./connection-pool.ts";
import type { SocksTarget } from "./socks5-tunnel.ts";

/** Pools TLS connections through a proxy. */
export class ProxyAgent extends Agent {
  private readonly proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    super(options);
    this.proxy = proxy;
  }

  /** Called by Node for every new connection. */
  override createConnection(options: ProxyTarget, done?: (error: Error | null, stream: Duplex) => void): undefined {
    connectThroughProxy(this.proxy, options).then(
      (socket) => done?.(null, socket),
      // Node ignores the stream if it gets an error.
      (error: Error) => done?.(error, undefined as never),
    );
  }
}

/** Pools plain HTTP connections through a SOCKS5 proxy. */
export class SocksAgent extends HttpAgent {
  private readonly proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    super(options);
    this.proxy = proxy;
  }

  override createConnection(options: ProxyTarget, done?: (error: Error | null, stream: Duplex) => void): undefined {
    wayThrough(this.proxy, options).then(
      // The tunnel pauses its socket, for TLS to take over.
      (socket) => done?.(null, socket.resume()),
      (error: Error) => done?.(error, undefined as never),
    );
  }
}

export interface ProxyTarget extends ConnectionOptions {
  /** The time limit for the connection to the server. */
  readonly connectTimeoutMs?: number | undefined;
}

/** Opens a tunnel through the proxy, and does TLS with the server inside it. */
export async function connectThroughProxy(proxy: URL, target: ProxyTarget): Promise<TLSSocket> {
  return connect({ ...target, socket: await wayThrough(proxy, target) });
}

/** Reports whether a proxy speaks SOCKS, and not HTTP. */
export function isSocks(proxy: URL): boolean {
  return proxy.protocol.startsWith("socks5");
}

/** Returns the login in the URL of a proxy as a header. */
export function proxyLogin({ username, password }: URL): { "proxy-authorization"?: string } {
  if (!username) return {};
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(login).toString("base64")}` };
}

function wayThrough(proxy: URL, target: ProxyTarget): Promise<Socket> {
  const { host = "", port = 443, connectTimeoutMs: timeout = defaultConnectTimeoutMs } = target;
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  return isSocks(proxy) ? socks(proxy, { host, port, timeout }) : tunnel(proxy, authority, timeout);
}

async function socks(proxy: URL, target: SocksTarget): Promise<Socket> {
  const { socks5Tunnel } = await import("./socks5-tunnel.ts");
  try {
    return await socks5Tunnel(proxy, target);
  } catch (error) {
    throw new Error(`the proxy ${proxy.host} did not open a connection: ${(error as Error).message}`, { cause: error });
  }
}

function tunnel(proxy: URL, authority: string, timeout: number): Promise<Socket> {
  const secure = proxy.protocol === "https:";
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? httpsRequest : request)({
      hostname: hostOf(proxy),
      port: proxy.port || (secure ? 443 : 80),
      method: "CONNECT",
      path: authority,
      agent: false,
      timeout,
      headers: { host: authority, ...proxyLogin(proxy) },
    });
    outgoing.once("connect", (response, socket) => {
      if (response.statusCode === 200) return resolve(socket.setTimeout(0));
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} responded with ${response.statusCode} ${response.statusMessage}`));
    });
    outgoing.once("timeout", () => outgoing.destroy(new Error("it does not respond")));
    outgoing.once("error", (error) => reject(new Error(`the proxy ${proxy.host} cannot be reached: ${error.message}`)));
    outgoing.end();
  });
}

import { request } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { defaultConnectTimeoutMs, hostOf, type PoolOptions, type TlsSettings } from "./connection-pool.ts";
import type { SocksTarget } from "./socks5-tunnel.ts";

/** The way of requests to a server. */
export interface Route {
  /** The receiver: the server, or a proxy that forwards requests. */
  readonly to: URL;
  readonly tls: TlsSettings | undefined;
  /** What precedes the path of a request. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Opens a connection that leads to the receiver; without it, the receiver is connected to directly. */
  readonly tunnel?: () => Promise<Socket>;
}

/** Returns the way through a proxy, which forwards plain requests itself, and opens tunnels for TLS. */
export function routeThrough(proxyUrl: string, options: PoolOptions): Route {
  const { url, tls } = options;
  const proxy = new URL(proxyUrl);
  if (tls || isSocks(proxy)) return { to: url, tls, prefix: "", headers: {}, tunnel: () => openTunnel(proxy, options) };
  const ofProxy = { minVersion: "TLSv1.2", rejectUnauthorized: true } as const;
  return {
    to: proxy,
    tls: proxy.protocol === "https:" ? ofProxy : undefined,
    prefix: url.origin,
    headers: proxyLogin(proxy),
  };
}

/** Reports whether a proxy speaks SOCKS, and not HTTP. */
function isSocks(proxy: URL): boolean {
  return proxy.protocol.startsWith("socks5");
}

/** Returns the login in the URL of a proxy as a header. */
function proxyLogin({ username, password }: URL): Record<string, string> {
  if (!username) return {};
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(login).toString("base64")}` };
}

function openTunnel(
  proxy: URL,
  { url, tls, connectTimeoutMs: timeout = defaultConnectTimeoutMs }: PoolOptions,
): Promise<Socket> {
  const [host, port] = [hostOf(url), Number(url.port || (tls ? 443 : 80))];
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

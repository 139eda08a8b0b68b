import { TsopError } from "../../errors/tsop-error.ts";
import type { ServerConfig } from "../config/config.ts";
import type { TlsMaterial } from "../config/credentials.ts";
import type { TlsSettings } from "../connections/connection-pool.ts";

const proxyProtocols = new Set(["http:", "https:", "socks5:", "socks5h:"]);

/** Returns how connections to the server verify it, and identify themselves. */
export function tlsSettings(
  { insecureSkipTlsVerify, tlsServerName }: ServerConfig,
  material: TlsMaterial,
): TlsSettings {
  return {
    ...material,
    minVersion: "TLSv1.2",
    rejectUnauthorized: !insecureSkipTlsVerify,
    ...(tlsServerName ? { servername: tlsServerName } : {}),
  };
}

/** Parses the address of a server. */
export function serverUrl(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new TsopError("TSOP_SERVER_URL_INVALID", { server: server || '""' });
  }
  return url;
}

/** Throws an error if connections can't pass through a proxy. */
export function checkProxy(proxy: string): void {
  const protocol = URL.canParse(proxy) ? new URL(proxy).protocol : "";
  if (!proxyProtocols.has(protocol)) throw new TsopError("TSOP_PROXY_UNSUPPORTED", { proxy: withoutLogin(proxy) });
}

/** Returns an address for a message, which logs may keep: its login is left out. */
function withoutLogin(address: string): string {
  return address.replace(/\/\/[^/?#]*@/, "//");
}

/** Joins the path with the prefix of a server behind one, as in Rancher. */
export function joinPath(prefix: string, path: string): string {
  return prefix === "/" ? path : `${prefix.replace(/\/$/, "")}${path}`;
}

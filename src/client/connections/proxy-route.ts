import { Agent as HttpAgent, type AgentOptions } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Duplex } from "node:stream";
import type { PoolOptions } from "./connection-pool.ts";
import { isSocks, ProxyAgent, proxyLogin, SocksAgent } from "./proxy-agent.ts";

export interface ProxyOptions extends Pick<PoolOptions, "url" | "tls" | "connectTimeoutMs"> {
  readonly proxyUrl: string;
}

/** The receiver of a request, and the headers that it needs. */
export interface Route {
  readonly to: URL;
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Chooses the receiver: a proxy forwards plain requests itself, and tunnels TLS. */
export function routeOf({ url, tls, proxyUrl }: ProxyOptions): Route {
  const proxy = new URL(proxyUrl);
  if (tls || isSocks(proxy)) return { to: url, prefix: "", headers: {} };
  return { to: proxy, prefix: url.origin, headers: { host: url.host, ...proxyLogin(proxy) } };
}

/** Creates the agent whose connections pass through the proxy. */
export function createAgent(
  { url, tls, proxyUrl, connectTimeoutMs }: ProxyOptions,
  own: AgentOptions,
): HttpAgent | HttpsAgent {
  const made = newAgent(new URL(proxyUrl), tls !== undefined, { ...own, connectTimeoutMs });
  // All its connections go to one host. Node would compute a name from every option, certificates included, several
  // times for each request.
  made.getName = () => url.host;
  // Node reads bytes that came on an idle connection as the next response.
  const [keep, reuse] = [made.keepSocketAlive.bind(made), made.reuseSocket.bind(made)];
  made.keepSocketAlive = (socket) => keep(socket.on("data", destroy));
  made.reuseSocket = (socket, request) => reuse(socket.off("data", destroy), request);
  return made;
}

function destroy(this: Duplex): void {
  this.destroy();
}

function newAgent(proxy: URL, secure: boolean, options: object): HttpAgent | HttpsAgent {
  if (secure) return new ProxyAgent(proxy, options);
  if (isSocks(proxy)) return new SocksAgent(proxy, options);
  return proxy.protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options);
}

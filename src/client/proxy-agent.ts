import { request } from "node:http";
import { Agent, request as httpsRequest, type AgentOptions } from "node:https";
import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";

/** Pools TLS connections that go through a proxy. */
export class ProxyAgent extends Agent {
  private readonly proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    super(options);
    this.proxy = proxy;
  }

  /** Node calls this for every connection that the pool lacks. */
  override createConnection(
    options: ConnectionOptions,
    done?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    connectThroughProxy(this.proxy, options).then(
      (socket) => done?.(null, socket),
      // Node reads no stream beside an error.
      (error: Error) => done?.(error, undefined as never),
    );
  }
}

/** Asks the proxy for a way through, and does TLS with the server inside of it. */
export async function connectThroughProxy(proxy: URL, target: ConnectionOptions): Promise<TLSSocket> {
  const { host = "", port = 443 } = target;
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const socket = await (proxy.protocol.startsWith("socks5") ? socks(proxy, host, port) : tunnel(proxy, authority));
  return connect({ ...target, socket });
}

async function socks(proxy: URL, host: string, port: number): Promise<Socket> {
  const { socks5Tunnel } = await import("./socks5-tunnel.ts");
  try {
    return await socks5Tunnel(proxy, host, port);
  } catch (error) {
    throw new Error(`the proxy ${proxy.host} gives no way through: ${(error as Error).message}`, { cause: error });
  }
}

function tunnel(proxy: URL, authority: string): Promise<Socket> {
  const { protocol, hostname, username, password } = proxy;
  const secure = protocol === "https:";
  const login = username ? `${decodeURIComponent(username)}:${decodeURIComponent(password)}` : undefined;
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? httpsRequest : request)({
      hostname,
      port: proxy.port || (secure ? 443 : 80),
      method: "CONNECT",
      path: authority,
      agent: false,
      headers: {
        host: authority,
        ...(login ? { "proxy-authorization": `Basic ${Buffer.from(login).toString("base64")}` } : {}),
      },
    });
    outgoing.once("connect", (response, socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} answered ${response.statusCode} ${response.statusMessage}`));
    });
    outgoing.once("error", (error) => reject(new Error(`the proxy ${proxy.host} can't be reached: ${error.message}`)));
    outgoing.end();
  });
}

import { randomBytes } from "node:crypto";
import { request as httpRequest, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import type { Duplex } from "node:stream";
import { createSecureContext } from "node:tls";
import { ApiError } from "../../apimachinery/status.ts";
import { webSocketAccept } from "../../apimachinery/streaming/web-socket.ts";
import { foreignStatus, parseStatus } from "../calls/refused-status.ts";
import type { ClientConfig, ServerConfig } from "../config/config.ts";
import { Credentials } from "../config/credentials.ts";
import { hostOf, type TlsSettings } from "../connections/connection-pool.ts";
import { openInTunnel, watchOver } from "../connections/open-socket.ts";
import { routeThrough } from "../connections/proxy-route.ts";
import { abortable } from "../transport/abortable.ts";
import { connectionError } from "../transport/connection-error.ts";
import { joinPath, serverUrl, tlsSettings } from "../transport/server-endpoint.ts";

export interface WebSocketRequest {
  /** Path with query. */
  readonly path: string;
  /** The protocols that the client speaks, the best first. */
  readonly protocols: readonly string[];
  readonly signal: AbortSignal;
}

/** A connection that is a WebSocket from now on, and its first bytes. */
export interface OpenedWebSocket {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Opens a WebSocket to an API server. A refusal throws the server's Status. */
export async function openWebSocket(config: ClientConfig, asked: WebSocketRequest): Promise<OpenedWebSocket> {
  const credentials = new Credentials(config);
  const first = await attempt(config, credentials, asked);
  const again = "refused" in first && first.refused.statusCode === 401 && (await credentials.refresh());
  if (again) first.refused.resume();
  const answer = again ? await attempt(config, credentials, asked) : first;
  if (!("refused" in answer)) return answer;
  const text = await readText(answer.refused);
  throw new ApiError(
    parseStatus(text) ?? foreignStatus(answer.refused.statusCode ?? 0, text, { method: "GET", path: asked.path }),
  );
}

async function attempt(
  config: ServerConfig,
  credentials: Credentials,
  { path, protocols, signal }: WebSocketRequest,
): Promise<OpenedWebSocket | { readonly refused: IncomingMessage }> {
  const url = serverUrl(config.server);
  const tls = url.protocol === "https:" ? tlsSettings(config, await credentials.tlsMaterial()) : undefined;
  const key = randomBytes(16).toString("base64");
  const headers = {
    ...(await credentials.headers()),
    "user-agent": "tsop",
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": key,
    "sec-websocket-protocol": protocols.join(", "),
  };
  signal.throwIfAborted();
  try {
    const outgoing = await startRequest(config, { url, tls }, { path: joinPath(url.pathname, path), headers, signal });
    return await answerOf(outgoing, key);
  } catch (error) {
    throw signal.aborted ? signal.reason : connectionError(config.server, error as Error);
  }
}

async function startRequest(
  config: ServerConfig,
  { url, tls }: { readonly url: URL; readonly tls: TlsSettings | undefined },
  { path, signal, headers }: { path: string; signal: AbortSignal; headers: OutgoingHttpHeaders },
): Promise<ClientRequest> {
  const target = { url, tls, idleTimeoutMs: 0 };
  const route = config.proxyUrl ? routeThrough(config.proxyUrl, target) : { to: url, tls, prefix: "", headers: {} };
  const { to, prefix } = route;
  const socket = await abortable(route.tunnel?.() ?? Promise.resolve(undefined), signal);
  const secureContext = route.tls && createSecureContext(route.tls);
  const options: RequestOptions = {
    signal,
    ...(secureContext && { ...route.tls, secureContext }),
    protocol: to.protocol,
    hostname: hostOf(to),
    port: to.port,
    path: `${prefix}${path}`,
    headers: { host: url.host, ...route.headers, ...headers },
    // A connection of its own, which does not go back to a pool.
    ...(socket ? { createConnection: () => openInTunnel(socket, { ...target, secureContext }) } : { agent: false }),
  };
  return to.protocol === "https:" ? httpsRequest(options) : httpRequest(options);
}

function answerOf(
  outgoing: ClientRequest,
  key: string,
): Promise<OpenedWebSocket | { readonly refused: IncomingMessage }> {
  return new Promise((resolve, reject) => {
    outgoing.once("socket", (socket) => watchOver(socket, {}));
    outgoing.once("error", reject);
    outgoing.once("response", (refused) => resolve({ refused }));
    outgoing.once("upgrade", ({ headers }, socket, head) => {
      if (headers["sec-websocket-accept"] === webSocketAccept(key)) return resolve({ socket, head });
      socket.destroy();
      reject(new Error("its answer does not open a WebSocket"));
    });
    outgoing.end();
  });
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

import type { Duplex } from "node:stream";
import { webSocketAccept, WebSocketPeer } from "../../apimachinery/streaming/web-socket.ts";

/** A connection that has left HTTP, and the bytes that came with the request. */
export interface Upgraded {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** The protocols of an upgrade that client and server agree on. */
export interface Handshake {
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: "websocket" | "spdy";
  /** The protocol of the streams, such as `v4.channel.k8s.io`. */
  readonly protocol: string;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** The answer to a client that asks for a WebSocket; its status is 101 if the server agrees. */
interface WebSocketAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Reports whether a request asks for another protocol than HTTP. */
export function wantsUpgrade(headers: Headers): boolean {
  return /\bupgrade\b/i.test(headers["connection"] ?? "") && headers["upgrade"] !== undefined;
}

/** Chooses the first protocol of the client that the server speaks; `undefined` if it speaks none. */
export function negotiateUpgrade(
  headers: Headers,
  spoken: Readonly<Record<Handshake["transport"], readonly string[]>>,
): Handshake | undefined {
  const upgrade = headers["upgrade"]?.toLowerCase();
  const offered = (name: string): string[] => (headers[name] ?? "").split(",").map((each) => each.trim());
  if (upgrade === "websocket") {
    const protocol = offered("sec-websocket-protocol").find((each) => spoken.websocket.includes(each));
    const key = headers["sec-websocket-key"];
    if (!protocol || !key) return undefined;
    return { headers: webSocketHeaders(key, protocol), transport: "websocket", protocol };
  }
  if (upgrade !== "spdy/3.1") return undefined;
  const protocol = offered("x-stream-protocol-version").find((each) => spoken.spdy.includes(each));
  if (!protocol) return undefined;
  const answer = { "X-Stream-Protocol-Version": protocol };
  return { headers: { Connection: "Upgrade", Upgrade: "SPDY/3.1", ...answer }, transport: "spdy", protocol };
}

/** Reports whether a request asks for a WebSocket. */
export function wantsWebSocket(headers: Headers): boolean {
  return wantsUpgrade(headers) && headers["upgrade"]?.toLowerCase() === "websocket";
}

/** Answers a client whose WebSocket has no protocol of its own, such as a watch. Go's library insists on an origin. */
export function answerWebSocket(headers: Headers): WebSocketAnswer {
  const { origin, "sec-websocket-key": key, "sec-websocket-protocol": protocol } = headers;
  const refuse = (status: number, body: string, more = {}): WebSocketAnswer => ({ status, headers: more, body });
  if (!key) return refuse(400, "mismatch challenge/response");
  if (headers["sec-websocket-version"] !== "13")
    return refuse(400, "missing or bad WebSocket Version", { "Sec-WebSocket-Version": "13" });
  if (origin === undefined) return refuse(403, "");
  if (protocol?.includes(",")) return refuse(400, "");
  return { status: 101, headers: webSocketHeaders(key, protocol), body: "" };
}

function webSocketHeaders(key: string, protocol: string | undefined): Record<string, string> {
  const agreed = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Accept": webSocketAccept(key) };
  return protocol === undefined ? agreed : { ...agreed, "Sec-WebSocket-Protocol": protocol };
}

/** Sends the events of a watch, each in a message of its own, until they end or the client does. */
export async function serveEvents(
  { socket, head }: Upgraded,
  chunks: AsyncIterable<string>,
  isBinary: boolean,
): Promise<void> {
  // What a client of a watch sends is ignored.
  const peer = new WebSocketPeer(socket, head, { onMessage: () => {}, onEnd: () => {} });
  for await (const chunk of chunks)
    for (const event of isBinary ? sizedEvents(chunk) : chunk.split(/(?<=\n)/))
      await new Promise<void>((taken) => peer.send(event, taken));
  peer.close();
}

/** Returns events of which each follows its length, which a message does not need. */
function sizedEvents(chunk: string): Buffer[] {
  const bytes = Buffer.from(chunk, "latin1");
  const events: Buffer[] = [];
  for (let start = 4; start <= bytes.length; start += 4) {
    const end = start + bytes.readUInt32BE(start - 4);
    events.push(bytes.subarray(start, end));
    start = end;
  }
  return events;
}

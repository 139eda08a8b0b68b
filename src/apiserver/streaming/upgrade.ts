import type { Duplex } from "node:stream";
import { webSocketAccept } from "../../apimachinery/streaming/web-socket.ts";

/** A connection that is no longer HTTP, and the bytes that came with the request. */
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

/** Reports whether a request asks for another protocol than HTTP. */
export function wantsUpgrade(headers: Headers): boolean {
  return /\bupgrade\b/i.test(headers["connection"] ?? "") && headers["upgrade"] !== undefined;
}

/** Chooses the first protocol of the client that the server speaks; `undefined` if there is none. */
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
    const answer = { "Sec-WebSocket-Accept": webSocketAccept(key), "Sec-WebSocket-Protocol": protocol };
    return { headers: { Connection: "Upgrade", Upgrade: "websocket", ...answer }, transport: "websocket", protocol };
  }
  if (upgrade !== "spdy/3.1") return undefined;
  const protocol = offered("x-stream-protocol-version").find((each) => spoken.spdy.includes(each));
  if (!protocol) return undefined;
  const answer = { "X-Stream-Protocol-Version": protocol };
  return { headers: { Connection: "Upgrade", Upgrade: "SPDY/3.1", ...answer }, transport: "spdy", protocol };
}

import { Duplex } from "node:stream";
import { SpdySession } from "./spdy-session.ts";
import type { Handshake, Upgraded } from "./upgrade.ts";
import { WebSocketPeer } from "../../apimachinery/streaming/web-socket.ts";

/** Opens a connection to a port of a pod; rejects with the reason for which there is none. */
export type Connect = (port: number) => Promise<Duplex>;

/** What port-forward speaks. In a WebSocket, the messages are the bytes of a SPDY connection. */
export const portForwardProtocols = {
  websocket: ["SPDY/3.1+portforward.k8s.io"],
  spdy: ["portforward.k8s.io"],
} as const;

interface Pair {
  error?: Duplex;
  data?: Duplex;
}

/** Forwards connections to ports until the client ends. Each has a stream for data and one for an error. */
export async function servePortForward(
  { transport }: Handshake,
  { socket, head }: Upgraded,
  connect: Connect,
): Promise<void> {
  const pairs = new Map<string, Pair>();
  const channel = transport === "websocket" ? tunnel({ socket, head }) : socket;
  if (transport === "spdy" && head.length > 0) socket.unshift(head);
  const session = new SpdySession(channel, ({ headers, data }) => {
    const id = headers.get("requestid") ?? "";
    const pair = pairs.get(id) ?? {};
    pairs.set(id, pair);
    if (headers.get("streamtype") === "error") pair.error = data;
    else pair.data = data;
    if (!pair.error || !pair.data) return;
    pairs.delete(id);
    void forward(Number(headers.get("port")), pair as Required<Pair>, connect);
  });
  await session.run().catch(() => {});
}

async function forward(port: number, { error, data }: Required<Pair>, connect: Connect): Promise<void> {
  error.resume();
  try {
    const connection = await connect(port);
    data.pipe(connection).pipe(data);
    connection.on("error", () => data.destroy());
    data.once("close", () => connection.destroy());
    await new Promise((resolve) => connection.once("close", resolve));
    error.end();
  } catch (cause) {
    error.end((cause as Error).message);
    data.end();
  }
}

/** Makes a stream of bytes of a WebSocket's messages. */
function tunnel({ socket, head }: Upgraded): Duplex {
  const channel: Duplex = new Duplex({
    read: () => void socket.resume(),
    write: (chunk: Uint8Array, _encoding, done) => peer.send(chunk, done),
    final(done) {
      peer.close();
      done();
    },
    destroy(error, done) {
      peer.close();
      done(error);
    },
  });
  const peer = new WebSocketPeer(socket, head, {
    // A client whose bytes nobody reads waits.
    onMessage: (message) => void (channel.push(message) || socket.pause()),
    // Ends the session even if it waits for a reader.
    onEnd: () => void channel.destroy(),
  });
  return channel;
}

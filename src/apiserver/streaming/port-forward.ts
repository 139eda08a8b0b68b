import { Duplex } from "node:stream";
import { forwardConnection, type Connect, type ForwardStreams } from "./forward-connection.ts";
import { portChannelsProtocol, servePortChannels } from "./port-channels.ts";
import { SpdySession } from "./spdy-session.ts";
import type { Handshake, Upgraded } from "./upgrade.ts";
import { WebSocketPeer } from "../../apimachinery/streaming/web-socket.ts";

/** The protocols of port-forward. In a WebSocket, the messages are the bytes of a SPDY connection, or of channels. */
export const portForwardProtocols: Readonly<Record<Handshake["transport"], readonly string[]>> = {
  websocket: ["SPDY/3.1+portforward.k8s.io", portChannelsProtocol],
  spdy: ["portforward.k8s.io"],
};

/** Forwards connections to ports until the client ends: to those that it asked for, or to any over SPDY. */
export async function servePortForward(
  { transport, protocol }: Handshake,
  upgraded: Upgraded,
  ports: readonly number[],
  connect: Connect,
): Promise<void> {
  const { socket, head } = upgraded;
  if (protocol === portChannelsProtocol) return servePortChannels(upgraded, ports, connect);
  const pairs = new Map<string, { error?: Duplex; data?: Duplex }>();
  const channel = transport === "websocket" ? tunnel({ socket, head }) : socket;
  if (transport === "spdy" && head.length > 0) socket.unshift(head);
  const session = new SpdySession(channel, ({ headers, data }) => {
    const id = headers.get("requestid") ?? "";
    const pair = pairs.get(id) ?? {};
    pairs.set(id, pair);
    if (headers.get("streamtype") === "error") pair.error = data;
    else pair.data = data;
    if (!pair.error || !pair.data) return void data.once("close", () => pairs.delete(id));
    pairs.delete(id);
    void forwardConnection(Number(headers.get("port")), pair as ForwardStreams, connect);
  });
  await session.run().catch(() => {});
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
    // A client whose bytes are not read waits.
    onMessage: (message) => void (channel.push(message) || socket.pause()),
    // Ends the session even if it waits for a reader.
    onEnd: () => void channel.destroy(),
  });
  return channel;
}

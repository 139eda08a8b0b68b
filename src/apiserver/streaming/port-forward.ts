import { Duplex } from "node:stream";
import { SpdySession } from "./spdy-session.ts";
import type { Handshake, Upgraded } from "./upgrade.ts";
import { WebSocketPeer } from "../../apimachinery/streaming/web-socket.ts";
import { finished } from "node:stream/promises";

/** The protocol of clients that name the ports in the request, such as those for Node and Python. */
export const portChannelsProtocol = "v4.channel.k8s.io";

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

/**
 * Forwards one connection to each port. The first byte of a message is its channel: a port has one for data and one for an
 * error, whose first messages are the port. The WebSocket ends with the last connection.
 */
async function servePortChannels(
  { socket, head }: Upgraded,
  ports: readonly number[],
  connect: Connect,
): Promise<void> {
  const channels = Array.from({ length: 2 * ports.length }, (_, number) => {
    return new Duplex({
      read: () => void socket.resume(),
      write: (chunk: Uint8Array, _encoding, done) => peer.send(Buffer.concat([Buffer.of(number), chunk]), done),
      final(done) {
        // No message announces the end of one direction, so that the connection ends with the first one.
        this.push(null);
        done();
      },
    });
  });
  const peer = new WebSocketPeer(socket, head, {
    onMessage(message) {
      const channel = channels[message[0] ?? channels.length];
      // A client whose bytes are not read waits.
      if (channel?.writable && !channel.push(message.subarray(1))) socket.pause();
    },
    onEnd: () => channels.forEach((channel) => channel.destroy()),
  });
  const forwarded = ports.map((port, index) => {
    const [data, error] = channels.slice(2 * index) as [Duplex, Duplex];
    for (const channel of [data, error]) channel.write(Buffer.of(port & 255, port >> 8));
    return forwardConnection(port, { data, error }, connect);
  });
  await Promise.all(forwarded);
  // The last bytes go out first.
  await Promise.allSettled(channels.map((channel) => finished(channel, { readable: false })));
  peer.close();
}

/** Opens a connection to a port of a pod; rejects with the reason if that fails. */
type Connect = (port: number) => Promise<Duplex>;

/** The client's ends of a forwarded connection. */
interface ForwardStreams {
  readonly error: Duplex;
  readonly data: Duplex;
}

/** Forwards one connection until it ends. If it cannot be opened, the stream for errors says why. */
async function forwardConnection(port: number, { error, data }: ForwardStreams, connect: Connect): Promise<void> {
  error.resume();
  for (const stream of [error, data]) stream.on("error", () => {});
  try {
    const connection = await connect(port);
    data.pipe(connection).pipe(data);
    connection.on("error", () => data.destroy());
    data.once("close", () => connection.destroy());
    // The client may have gone while the connection was opened.
    if (data.destroyed) connection.destroy();
    await new Promise((resolve) => connection.once("close", resolve));
    error.end();
  } catch (cause) {
    error.end((cause as Error).message);
    data.end();
  }
}

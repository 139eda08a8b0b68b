import { Duplex } from "node:stream";
import { finished } from "node:stream/promises";
import { WebSocketPeer } from "../../apimachinery/streaming/web-socket.ts";
import { forwardConnection, type Connect } from "./forward-connection.ts";
import type { Upgraded } from "./upgrade.ts";

/** The protocol of clients that name the ports in the request, such as those for Node and Python. */
export const portChannelsProtocol = "v4.channel.k8s.io";

/**
 * Forwards one connection to each port. The first byte of a message is its channel: a port has one for data and one for an
 * error, whose first messages are the port. The WebSocket ends with the last connection.
 */
export async function servePortChannels(
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

import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Relay {
  readonly port: number;
  /** Loses all bytes of both directions, as a network does that is cut, until `heal` is called. */
  cut(): void;
  /** Ends the connections that were cut, and accepts new ones. */
  heal(): void;
}

/** Starts a relay to a server, whose connections take time to open, and end with an answer after a while. */
export async function startRelay(
  to: number,
  signal: AbortSignal,
  { openMs = 0, lifeMs = 0 }: { readonly openMs?: number; readonly lifeMs?: number } = {},
): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const relay = createServer((from) => {
    const upstream = connect(to, "127.0.0.1");
    const opened = performance.now();
    const ends = [from, upstream];
    const end = (): void => ends.forEach((socket) => socket.destroy());
    for (const [at, socket] of ends.entries()) {
      sockets.add(socket);
      socket
        .on("error", () => undefined)
        .on("close", () => {
          sockets.delete(socket);
          end();
        });
      socket.on("data", (chunk: Buffer) => {
        if (isCut) return;
        const isOld = socket === upstream && lifeMs > 0 && performance.now() - opened > lifeMs;
        ends[1 - at]!.write(chunk, () => void (isOld && end()));
      });
    }
    from.pause();
    setTimeout(() => from.resume(), openMs);
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const endAll = (): void => sockets.forEach((socket) => socket.destroy());
  signal.addEventListener("abort", () => {
    relay.close();
    endAll();
  });
  return {
    port: (relay.address() as AddressInfo).port,
    cut: () => void (isCut = true),
    heal() {
      endAll();
      isCut = false;
    },
  };
}

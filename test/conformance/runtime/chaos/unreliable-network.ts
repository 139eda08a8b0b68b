import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A path to a server on this machine that can be cut. */
export interface UnreliableNetwork {
  readonly port: number;
  /** Number of open connections. */
  readonly connections: number;
  /** Closes every connection, as a server that dies does; returns their number. */
  cut(): number;
  /** Stops all traffic on the open connections without closing them; returns their number. */
  freeze(): number;
  /** If true, new connections are closed immediately. */
  down: boolean;
  close(): Promise<void>;
}

export async function unreliableNetwork(target: number): Promise<UnreliableNetwork> {
  const open = new Set<Socket>();
  const pairs = new Map<Socket, Socket>();
  const server = createServer((near) => {
    if (network.down) return void near.destroy();
    const far = connect(target, "127.0.0.1");
    open.add(near);
    near.pipe(far).pipe(near);
    pairs.set(near, far);
    const end = (): void => {
      open.delete(near);
      pairs.delete(near);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on("error", end).on("close", end);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const network = {
    port: (server.address() as AddressInfo).port,
    down: false,
    get connections() {
      return open.size;
    },
    cut() {
      for (const socket of open) socket.destroy();
      return open.size;
    },
    freeze() {
      const { size } = pairs;
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
        // Discards incoming data, as for a machine that is unreachable.
        near.resume();
        far.resume();
      }
      pairs.clear();
      return size;
    },
    async close() {
      network.cut();
      server.close();
      await once(server, "close");
    },
  };
  return network;
}

import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A way to a server on this machine that can be cut. */
export interface UnreliableNetwork {
  readonly port: number;
  /** Connections that are open now. */
  readonly connections: number;
  /** Ends every connection, as a server that dies does; how many it were. */
  cut(): number;
  /** From now on nothing comes through on the connections that are open, and nobody is told; how many they are. */
  freeze(): number;
  /** While true, new connections are closed as soon as they come. */
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
        // What arrives is taken, as by a machine that nobody reaches any more.
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

import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

/**
 * Below the ports that systems give to outgoing connections: one of these could take the port before its program
 * listens, or while that restarts.
 */
const lowest = 12_000;
const highest = 28_000;

/** Finds free ports on loopback. All are bound before the first is released, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen()));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function listen(): Promise<Server> {
  for (;;) {
    const server = createServer();
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once("error", resolve).listen(randomInt(lowest, highest), "127.0.0.1", () => resolve(undefined));
    });
    if (!error) return server;
    if (error.code !== "EADDRINUSE" && error.code !== "EACCES") throw error;
  }
}

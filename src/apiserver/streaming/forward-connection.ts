import type { Duplex } from "node:stream";

/** Opens a connection to a port of a pod; rejects with the reason if that fails. */
export type Connect = (port: number) => Promise<Duplex>;

/** The client's ends of a forwarded connection. */
export interface ForwardStreams {
  readonly error: Duplex;
  readonly data: Duplex;
}

/** Forwards one connection until it ends. If it cannot be opened, the stream for errors says why. */
export async function forwardConnection(
  port: number,
  { error, data }: ForwardStreams,
  connect: Connect,
): Promise<void> {
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

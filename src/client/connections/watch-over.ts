import type { Socket } from "node:net";
import { defaultConnectTimeoutMs, keepAliveMs, type PoolOptions } from "./connection-pool.ts";

/** A new connection has so much time, with TLS if it does that. */
export function watchOver(
  socket: Socket,
  { onResolved, connectTimeoutMs = defaultConnectTimeoutMs }: Pick<PoolOptions, "onResolved" | "connectTimeoutMs">,
): void {
  // Finds out about a peer that is gone without a word, on a watch that nobody writes to.
  socket.setKeepAlive(true, keepAliveMs);
  const timer = setTimeout(() => {
    socket.destroy(Object.assign(new Error("connecting took too long"), { code: "ETIMEDOUT" }));
  }, connectTimeoutMs);
  timer.unref();
  const stop = (): void => clearTimeout(timer);
  socket.once("encrypted" in socket ? "secureConnect" : "connect", stop);
  socket.once("close", stop);
  if (!onResolved) return;
  const started = performance.now();
  socket.once("lookup", () => onResolved((performance.now() - started) / 1000));
}

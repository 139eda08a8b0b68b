import type { Socket } from "node:net";
import { defaultConnectTimeoutMs, keepAliveMs, type PoolOptions } from "./connection-pool.ts";

/** A new connection has so much time, with TLS if it does that. */
export function watchOver(
  socket: Socket,
  { onResolved, connectTimeoutMs = defaultConnectTimeoutMs }: Pick<PoolOptions, "onResolved" | "connectTimeoutMs">,
): void {
  // Finds out about a peer that is gone without a word, on a watch that nobody writes to.
  socket.setKeepAlive(true, keepAliveMs);
  const secure = "encrypted" in socket;
  // A proxy has given a way through already.
  if (!secure && !socket.connecting) return;
  const timer = setTimeout(() => {
    socket.destroy(Object.assign(new Error("connecting took too long"), { code: "ETIMEDOUT" }));
  }, connectTimeoutMs);
  timer.unref();
  const stop = (): void => clearTimeout(timer);
  socket.once(secure ? "secureConnect" : "connect", stop);
  socket.once("close", stop);
  if (!onResolved) return;
  const started = performance.now();
  socket.once("lookup", () => onResolved((performance.now() - started) / 1000));
}

import type { Socket } from "node:net";
import { defaultConnectTimeoutMs, keepAliveMs, type PoolOptions } from "./connection-pool.ts";

/** Limits the time for a new connection, including TLS. */
export function watchOver(
  socket: Socket,
  { onResolved, connectTimeoutMs = defaultConnectTimeoutMs }: Pick<PoolOptions, "onResolved" | "connectTimeoutMs">,
): void {
  // Detects a dead peer on a watch without writes.
  socket.setKeepAlive(true, keepAliveMs);
  const secure = "encrypted" in socket;
  // A proxy has already opened a tunnel.
  if (!secure && !socket.connecting) return;
  const timer = setTimeout(() => {
    socket.destroy(Object.assign(new Error("connecting timed out"), { code: "ETIMEDOUT" }));
  }, connectTimeoutMs);
  timer.unref();
  const stop = (): void => clearTimeout(timer);
  socket.once(secure ? "secureConnect" : "connect", stop);
  socket.once("close", stop);
  if (!onResolved) return;
  const started = performance.now();
  socket.once("lookup", () => onResolved((performance.now() - started) / 1000));
}

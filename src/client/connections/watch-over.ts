import type { Socket } from "node:net";
import { defaultConnectTimeoutMs, keepAliveMs, type PoolOptions } from "./connection-pool.ts";

/** Limits the time for a new connection, including TLS. */
export function watchOver(
  socket: Socket,
  { onResolved, connectTimeoutMs = defaultConnectTimeoutMs }: Pick<PoolOptions, "onResolved" | "connectTimeoutMs">,
): void {
  // Detects a dead peer on a watch without writes.
  socket.setKeepAlive(true, keepAliveMs);
  if (isOpen(socket)) return;
  const timer = setTimeout(() => {
    socket.destroy(Object.assign(new Error("connecting timed out"), { code: "ETIMEDOUT" }));
  }, connectTimeoutMs);
  timer.unref();
  const stop = (): void => clearTimeout(timer);
  onceOpen(socket, stop);
  socket.once("close", stop);
  if (!onResolved) return;
  const started = performance.now();
  socket.once("lookup", () => onResolved((performance.now() - started) / 1000));
}

/** Calls back when a new connection is open, including TLS: bytes that are written before would wait in a queue. */
export function onceOpen(socket: Socket, callback: () => void): void {
  if (isOpen(socket)) callback();
  else socket.once("encrypted" in socket ? "secureConnect" : "connect", callback);
}

/** Reports whether a new connection needs no time to open, as inside the tunnel of a proxy. */
function isOpen(socket: Socket): boolean {
  return !("encrypted" in socket) && !socket.connecting;
}

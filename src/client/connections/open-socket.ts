import { connect as connectTcp, isIP, type OnReadOpts, type Socket, type TcpNetConnectOpts } from "node:net";
import { connect as connectTls, type ConnectionOptions, type SecureContext } from "node:tls";
import {
  autoSelectFamilyAttemptTimeout,
  hostOf,
  defaultConnectTimeoutMs,
  keepAliveMs,
  type PoolOptions,
} from "./connection-pool.ts";

export interface SocketOptions extends PoolOptions {
  /** Set for HTTPS. */
  readonly secureContext: SecureContext | undefined;
}

/** Opens a connection, which hands its bytes to `onData`. */
export type OpenSocket = (onData: (bytes: Buffer) => void) => Socket;

/** The most that one read of a socket returns. */
const bufferSize = 64 * 1024;
/** All sockets read into one buffer: nothing happens between a read and the copy of its bytes. */
let buffer: Buffer | undefined;

/** Opens a connection to the server. `onData` receives the bytes directly: Node's stream costs more than their use. */
export function openSocket(options: SocketOptions, onData: (bytes: Buffer) => void): Socket {
  buffer ??= Buffer.allocUnsafeSlow(bufferSize);
  const callback = (length: number, read: Uint8Array): boolean => {
    onData(Buffer.from(read.subarray(0, length)));
    return true;
  };
  const socket = connect(options, { onread: { buffer, callback } });
  socket.setNoDelay(true);
  watchOver(socket, options);
  return socket;
}

/** Begins a connection in a tunnel to the server, which is paused until then. */
export function openInTunnel(tunnel: Socket, options: SocketOptions): Socket {
  return options.secureContext ? connectTls({ ...targetOf(options), socket: tunnel }) : tunnel.resume();
}

function connect(options: SocketOptions, reading: { readonly onread: OnReadOpts }): Socket {
  const target = { ...targetOf(options), autoSelectFamilyAttemptTimeout, ...reading };
  return options.secureContext ? connectTls(target) : connectTcp(target);
}

function targetOf({ url, tls, secureContext }: SocketOptions): TcpNetConnectOpts & ConnectionOptions {
  const [host, port] = [hostOf(url), Number(url.port || (secureContext ? 443 : 80))];
  if (!secureContext || !tls) return { host, port };
  const { rejectUnauthorized, servername = isIP(host) ? undefined : host } = tls;
  return {
    host,
    port,
    secureContext,
    rejectUnauthorized,
    ALPNProtocols: ["http/1.1"],
    ...(servername ? { servername } : {}),
  };
}

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

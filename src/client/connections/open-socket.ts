import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from "node:net";
import { connect as connectTls, type SecureContext } from "node:tls";
import { autoSelectFamilyAttemptTimeout, hostOf, type PoolOptions } from "./connection-pool.ts";
import { watchOver } from "./watch-over.ts";

export interface SocketOptions extends PoolOptions {
  /** Set for HTTPS. */
  readonly secureContext: SecureContext | undefined;
}

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

function connect({ url, tls, secureContext }: SocketOptions, reading: { readonly onread?: OnReadOpts }): Socket {
  const [host, port] = [hostOf(url), Number(url.port || (secureContext ? 443 : 80))];
  const target = { host, port, autoSelectFamilyAttemptTimeout, ...reading };
  if (!secureContext || !tls) return connectTcp(target);
  const { rejectUnauthorized, servername = isIP(host) ? undefined : host } = tls;
  return connectTls({
    ...target,
    secureContext,
    rejectUnauthorized,
    ALPNProtocols: ["http/1.1"],
    ...(servername ? { servername } : {}),
  });
}

import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from "node:net";
import { connect as connectTls, type SecureContext } from "node:tls";
import { hostOf, type PoolOptions } from "./connection-pool.ts";
import { watchOver } from "./watch-over.ts";

export interface SocketOptions extends PoolOptions {
  /** Set for HTTPS. */
  readonly secureContext: SecureContext | undefined;
}

/** Opens a connection to the server; `onread` receives the data instead of `data` events. */
export function openSocket(options: SocketOptions, onread?: OnReadOpts): Socket {
  const socket = connect(options, onread ? { onread } : {});
  socket.setNoDelay(true);
  watchOver(socket, options);
  return socket;
}

function connect({ url, tls, secureContext }: SocketOptions, reading: { readonly onread?: OnReadOpts }): Socket {
  const [host, port] = [hostOf(url), Number(url.port || (secureContext ? 443 : 80))];
  if (!secureContext || !tls) return connectTcp({ host, port, ...reading });
  const { rejectUnauthorized, servername = isIP(host) ? undefined : host } = tls;
  return connectTls({
    host,
    port,
    secureContext,
    rejectUnauthorized,
    ALPNProtocols: ["http/1.1"],
    ...(servername ? { servername } : {}),
    ...reading,
  });
}

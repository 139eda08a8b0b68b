import type { Server } from "node:http";
import type { TLSSocket } from "node:tls";

/**
 * Keeps Node from cutting TLS connections. If a request arrives while the end of the previous response is on its way
 * to the operating system, Node pauses the HTTP parser, but a body that is decrypted already still reaches it, which is
 * the error HPE_PAUSED. With a listener, the data pass through the socket, whose pause holds them back.
 */
export function avoidParserPause(server: Server): void {
  server.on("secureConnection", (socket: TLSSocket) => {
    // An HTTP/2 session reads its socket itself.
    if (socket.alpnProtocol !== "h2") socket.on("data", () => {});
  });
}

import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ServerResponse } from "../api-server.ts";
import { serveEvents } from "../streaming/serve-events.ts";
import type { Upgraded } from "../streaming/upgrade.ts";

/** Writes the response to a request for another protocol, and hands the connection over if it was agreed to. */
export async function answerUpgrade({ socket, head }: Upgraded, response: ServerResponse): Promise<void> {
  const { status, headers, body, serve, binary } = response;
  if (status === 101) {
    socket.write(formatHead(status, headers));
    if (serve) return serve({ socket, head });
    if (typeof body !== "string") return serveEvents({ socket, head }, body, binary === true);
  }
  // The client does not get the other protocol; what has no length ends with the connection.
  const length = typeof body === "string" && { "content-length": String(Buffer.byteLength(body)) };
  socket.write(formatHead(status, { ...headers, ...length, connection: "close" }));
  const encoding = binary ? "latin1" : "utf8";
  if (typeof body === "string") socket.write(body, encoding);
  else for await (const chunk of body) await new Promise((taken) => socket.write(chunk, encoding, taken));
  await new Promise<void>((resolve) => socket.end(resolve));
}

/** Prepares a socket that Node's parser has left: arriving bytes wait until they are read. */
export function detach(socket: Duplex): void {
  socket.removeAllListeners("data");
  socket.pause();
  socket.on("error", () => socket.destroy());
}

function formatHead(status: number, headers: ServerResponse["headers"]): string {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  );
  return `${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join("\r\n")}\r\n\r\n`;
}

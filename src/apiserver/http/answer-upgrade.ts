import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ServerResponse } from "../api-server.ts";
import type { Upgraded } from "../streaming/upgrade.ts";

/** Writes the response to a request for another protocol, and hands the connection over if it was agreed to. */
export async function answerUpgrade({ socket, head }: Upgraded, response: ServerResponse): Promise<void> {
  const { status, headers, body, serve } = response;
  if (serve) {
    socket.write(formatHead(status, headers));
    await serve({ socket, head });
    return;
  }
  // A stream of events has no end that would close the connection.
  const text = typeof body === "string" ? body : "";
  const complete = { ...headers, "content-length": String(Buffer.byteLength(text)), connection: "close" };
  await new Promise<void>((resolve) =>
    socket.end(formatHead(typeof body === "string" ? status : 400, complete) + text, resolve),
  );
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

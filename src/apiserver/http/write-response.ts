import type { ServerResponse as HttpResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ServerResponse } from "../api-server.ts";

/** Sends an answer; a stream's head goes out at once, and its lines wait for a slow reader. */
export async function writeResponse(response: HttpResponse, result: ServerResponse, method: string): Promise<void> {
  if (response.destroyed) return;
  const { status, headers, body } = result;
  if (typeof body === "string") {
    const length = Buffer.byteLength(body);
    response.writeHead(status, { ...headers, "content-length": length });
    // Text that is ASCII throughout needs no room for longer characters, which is three times its length.
    if (method === "HEAD") response.end();
    else response.end(body, length === body.length ? "latin1" : "utf8");
    return;
  }
  response.writeHead(status, headers);
  response.flushHeaders();
  for await (const chunk of body) {
    if (response.destroyed) return;
    // What comes up while others are answered goes out together: one packet instead of many.
    await (response.write(chunk) ? nextTurn() : drained(response));
  }
  response.end();
}

function drained(response: HttpResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off("drain", go).off("close", go);
      resolve();
    };
    if (response.destroyed) resolve();
    else response.on("drain", go).on("close", go);
  });
}

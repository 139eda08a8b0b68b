import type { ServerResponse as HttpResponse } from "node:http";
import type { ServerResponse } from "../api-server.ts";

/** Sends an answer; a stream's head goes out at once, and its lines wait for a slow reader. */
export async function writeResponse(response: HttpResponse, result: ServerResponse, method: string): Promise<void> {
  if (response.destroyed) return;
  const { status, headers, body } = result;
  if (typeof body === "string") {
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
    response.end(method === "HEAD" ? undefined : body);
    return;
  }
  response.writeHead(status, headers);
  response.flushHeaders();
  for await (const chunk of body) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await drained(response);
  }
  response.end();
}

function drained(response: HttpResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once("drain", resolve);
    response.once("close", resolve);
  });
}

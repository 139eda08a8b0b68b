import type { ServerResponse as HttpResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ServerResponse } from "../api-server.ts";

/** Sends an answer; a stream's head goes out at once, and its lines wait for a slow reader. */
export async function writeResponse(response: HttpResponse, result: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  const { status, body } = result;
  const headers = { "cache-control": "no-cache, private", ...result.headers };
  const { method } = response.req;
  const encoding = result.binary ? "latin1" : "utf8";
  if (typeof body === "string") {
    if (result.compressible && body.length > smallestCompressed && readsGzip(response.req.headers["accept-encoding"])) {
      // Node's zlib would be a twentieth of the server's start.
      const { compress } = await import("./compress.ts");
      const packed = await compress(Buffer.from(body, encoding));
      const coded = { "content-encoding": "gzip", vary: "Accept-Encoding", "content-length": packed.length };
      response.writeHead(status, { ...headers, ...coded }).end(packed);
      return;
    }
    const length = Buffer.byteLength(body, encoding);
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
    await (response.write(chunk, encoding) ? nextTurn() : drained(response));
  }
  response.end();
}

/** As a real server has it. */
const smallestCompressed = 128 * 1024;

/** Only by its bare name, as a real server reads it. */
function readsGzip(accepted: string | string[] | undefined): boolean {
  return (
    accepted !== undefined &&
    String(accepted)
      .split(",")
      .some((each) => each.trim() === "gzip")
  );
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

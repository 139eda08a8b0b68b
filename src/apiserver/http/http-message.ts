import type { IncomingMessage, ServerResponse as HttpResponse } from "node:http";
import type { ServerRequest, User, ServerResponse } from "../api-server.ts";
import { ApiError, failure } from "../../apimachinery/status.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";

/** A request that came by HTTP, once its body is there. */
export class HttpRequest implements ServerRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  readonly user: User;
  readonly #response: HttpResponse;
  #gone: AbortController | undefined;

  constructor(
    { method = "GET", url = "/", headers }: IncomingMessage,
    response: HttpResponse,
    { body, user }: Pick<ServerRequest, "body" | "user">,
  ) {
    this.method = method;
    this.url = url;
    this.headers = headers as Record<string, string | undefined>;
    this.body = body;
    this.user = user;
    this.#response = response;
  }

  /** Made when it is asked for: only watches and logs do, and signals are dear. */
  get signal(): AbortSignal {
    if (this.#gone) return this.#gone.signal;
    const gone = (this.#gone = new AbortController());
    if (this.#response.closed) gone.abort();
    else this.#response.once("close", () => gone.abort());
    return gone.signal;
  }
}

/** As a real server has it. */
const largestBody = 3 * 1024 * 1024;

const none = new Uint8Array();

/** The whole body; refuses one over 3 MiB, and one that breaks off. */
export function readRequestBody(request: IncomingMessage): Uint8Array | Promise<Uint8Array> {
  if (request.method === "GET" || request.method === "HEAD") return none;
  // Listeners instead of the stream's iterator, which takes as long as all of the parsing.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > largestBody) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.once("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once("error", reject);
  });
}

function tooLarge(): ApiError {
  return new ApiError(failure("RequestEntityTooLarge", `Request entity too large: limit is ${largestBody}`));
}

/** Sends an answer; a stream's head goes out at once, and its lines wait for a slow reader. */
export async function writeResponse(response: HttpResponse, result: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  const { status, body } = result;
  const headers = { "cache-control": "no-cache, private", ...result.headers };
  const { method } = response.req;
  const encoding = result.binary ? "latin1" : "utf8";
  if (typeof body === "string") {
    if (result.compressible && body.length > smallestCompressed && readsGzip(response.req.headers["accept-encoding"])) {
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

/** Compresses fast rather than small, as a real server does. */
async function compress(bytes: Buffer): Promise<Buffer> {
  // Loading zlib takes a twentieth of the server's start.
  const { constants, gzip } = await import("node:zlib");
  return promisify(gzip)(bytes, { level: constants.Z_BEST_SPEED });
}

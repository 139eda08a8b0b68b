import { type IncomingMessage, type ServerResponse as HttpResponse, STATUS_CODES } from "node:http";
import type { ServerRequest, User, ServerResponse } from "../api-server.ts";
import { decodeHeader } from "../../apimachinery/header-text.ts";
import { tooLarge } from "../refusals.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import type { Duplex } from "node:stream";
import { serveEvents, type Upgraded } from "../streaming/upgrade.ts";

/** The end of an exchange, which closes when the client has gone: a response, or the socket of an upgrade. */
interface Exchange {
  readonly closed: boolean;
  once(event: "close", listener: () => void): unknown;
}

/** An HTTP request with its complete body. */
export class HttpRequest implements ServerRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  readonly user: User;
  private readonly message: IncomingMessage;
  private readonly response: Exchange;
  private gone: AbortController | undefined;

  constructor(message: IncomingMessage, response: Exchange, { body, user }: Pick<ServerRequest, "body" | "user">) {
    const { method = "GET", url = "/", headers } = message;
    this.message = message;
    this.method = method;
    this.url = url;
    this.headers = headers as Record<string, string | undefined>;
    this.body = body;
    this.user = user;
    this.response = response;
  }

  /** Computed when it is used, as only impersonation needs it: values as UTF-8, which Node reads byte by byte. */
  get headersDistinct(): Readonly<Record<string, readonly string[] | undefined>> {
    const entries = Object.entries(this.message.headersDistinct);
    return Object.fromEntries(entries.map(([name, values]) => [name, values?.map(decodeHeader)]));
  }

  /** Created with its first use: only watches and logs need it, and signals are expensive. */
  get signal(): AbortSignal {
    if (this.gone) return this.gone.signal;
    const gone = (this.gone = new AbortController());
    if (this.response.closed) gone.abort();
    else this.response.once("close", () => gone.abort());
    return gone.signal;
  }
}

/** The limit of a real server. */
const largestBody = 3 * 1024 * 1024;

const none = new Uint8Array();

/** Reads the whole body. Refuses one over 3 MiB, and one that is incomplete. */
export function readRequestBody(request: IncomingMessage): Uint8Array | Promise<Uint8Array> {
  if (request.method === "GET" || request.method === "HEAD") return none;
  // Use listeners: the stream's iterator takes as long as all of the parsing.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > largestBody) reject(tooLarge(`limit is ${largestBody}`));
      else chunks.push(chunk);
    });
    request.once("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once("error", reject);
  });
}

/**
 * Writes a response. The head of a stream is sent at once; its lines wait for a slow reader. The responses of one turn of
 * the event loop are written together, at its end: the first write wakes a waiting client, and a wake-up costs more than
 * all else about a small response.
 */
export async function writeResponse(response: HttpResponse, result: ServerResponse): Promise<void> {
  await nextTurn();
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
    // ASCII text can be written as latin1, which does not reserve three bytes per character. Node would encode the head
    // like any other text, which goes out as bytes for that reason.
    if (method === "HEAD") response.end();
    else if (length === body.length) response.end(body, "latin1");
    else response.end(Buffer.from(body));
    return;
  }
  response.writeHead(status, headers);
  response.flushHeaders();
  for await (const chunk of body) {
    if (response.destroyed) return;
    if (!response.write(chunk, encoding)) await waitForDrain(response);
  }
  response.end();
}

/** The limit of a real server. */
const smallestCompressed = 128 * 1024;

/** Reports whether a client accepts gzip; like a real server, reads only the bare name. */
function readsGzip(accepted: string | string[] | undefined): boolean {
  return (
    accepted !== undefined &&
    String(accepted)
      .split(",")
      .some((each) => each.trim() === "gzip")
  );
}

function waitForDrain(response: HttpResponse): Promise<void> {
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

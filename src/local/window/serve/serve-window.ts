import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parseJsonObjectOrUndefined } from "../../../apimachinery/parse-json-object.ts";
import { TsopError } from "../../../errors/tsop-error.ts";
import { messageOf } from "../../../errors/message-of.ts";
import { readBody } from "../../../runtime/webhook/body-room.ts";
import type { Hello } from "../contract.ts";
import { answerQuestion, carryOut, type Answer, type Desk } from "./answer.ts";
import { EventStream } from "./event-stream.ts";
import { refuseForeign, refuseUnknown, safeHeaders } from "./guard.ts";
import { readFile } from "node:fs/promises";
import { packageFile } from "../../../apimachinery/package-file.ts";

export interface ServeWindowOptions extends Desk {
  /** A free one by default. */
  readonly port?: number | undefined;
  /** A new one by default. */
  readonly token?: string | undefined;
  readonly source: string;
  readonly audits: boolean;
}

export interface RunningWindow {
  /** The address of the page, with the token in the fragment, which browsers do not send. */
  readonly url: string;
  readonly port: number;
  /** Settles when nothing listens any more. */
  readonly done: Promise<void>;
}

/** The longest text that can be applied, as in the API server. */
const largestBody = 3 * 1024 * 1024;

/** Serves the page on loopback until the signal aborts. */
export async function serveWindow(options: ServeWindowOptions, signal: AbortSignal): Promise<RunningWindow> {
  const token = options.token ?? randomBytes(24).toString("base64url");
  const started = Date.now();
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 32_000 }, (request, response) => {
    respond({ ...options, token, started }, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, { status: 500, value: { message: messageOf(error) } });
    });
  });
  const port = await listen(server, options.port ?? 0);
  const done = new Promise<void>((resolve) => {
    const stop = (): void => {
      server.close(() => resolve());
      server.closeAllConnections();
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  return { url: `http://127.0.0.1:${port}/#token=${token}`, port, done };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      reject(cause.code === "EADDRINUSE" ? new TsopError("TSOP_UI_PORT_IN_USE", { port }, { cause }) : cause),
    );
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

interface Serving extends ServeWindowOptions {
  readonly token: string;
  readonly started: number;
}

async function respond(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  const isApi = pathname.startsWith("/api/");
  const refusal = refuseForeign(request) ?? (isApi ? refuseUnknown(request, serving.token) : undefined);
  if (refusal) return sendJson(response, { status: refusal.status, value: { message: refusal.reason } });
  if (request.method === "POST" && isApi) {
    const body = await readJson(request);
    if (!body) return sendJson(response, { status: 400, value: { message: "the body must be a JSON object" } });
    return sendJson(response, await carryOut(serving, pathname, body));
  }
  if (request.method !== "GET") return sendJson(response, { status: 405, value: { message: "not allowed" } });
  if (pathname === "/api/stream") return new EventStream(response, serving.recorder).run(helloOf(serving));
  if (isApi) return sendJson(response, await answerQuestion(serving, pathname, searchParams));
  const file = await readPageFile(pathname);
  if (!file) return sendJson(response, { status: 404, value: { message: "not found" } });
  response.writeHead(200, { "content-type": file.type, "content-length": file.bytes.length }).end(file.bytes);
}

function helloOf({ source, audits, recorder, editor, started }: Serving): Hello {
  const { operator } = recorder;
  return { source, audits, operator, readOnly: editor === undefined, started, now: Date.now() };
}

function sendJson(response: ServerResponse, { status, value }: Answer): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(value));
}

/** Reads a JSON object; `undefined` for anything else. A page of another origin cannot send its type unasked. */
async function readJson(request: IncomingMessage): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (request.headers["content-type"] !== "application/json") return undefined;
  return parseJsonObjectOrUndefined((await readBody(request, largestBody + 1)) ?? "");
}

/** A file of the page. */
interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** The page's files by path. Only these are served, so that no path leads out of their folder. */
const files: Readonly<Record<string, readonly [name: string, type: string]>> = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/app.js": ["app.js", "text/javascript; charset=utf-8"],
  "/app.css": ["app.css", "text/css; charset=utf-8"],
  "/icon.svg": ["icon.svg", "image/svg+xml"],
};

/** Reads a file of the built page; returns `undefined` for other paths. */
async function readPageFile(path: string): Promise<PageFile | undefined> {
  const found = files[path];
  if (!found) return undefined;
  const [name, type] = found;
  return { type, bytes: await readFile(packageFile(`dist/ui/${name}`)) };
}

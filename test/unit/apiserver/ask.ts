import type { ServerResponse } from "../../../src/apiserver/api-server.ts";
import {
  createApiServer,
  type ApiServerOptions,
  type EmbeddedApiServer,
} from "../../../src/apiserver/create-api-server.ts";
import { patience } from "../../patience.ts";

export interface Reply {
  readonly status: number;
  readonly headers: ServerResponse["headers"];
  readonly body: any;
}

export interface Asker {
  readonly server: EmbeddedApiServer;
  ask(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Opens a watch; `next` gives its events one by one. */
  watch(url: string): Promise<Watching>;
}

export interface Watching {
  next(): Promise<any>;
  close(): void;
}

const user = { username: "admin", groups: ["system:masters"] };

/** A server without a port, and requests to it. */
export function asker(options: ApiServerOptions = {}): Asker {
  const server = createApiServer(options);
  const send = (
    method: string,
    url: string,
    rest: { body?: unknown; headers?: Record<string, string>; signal: AbortSignal },
  ) => {
    const { body, headers = {}, signal } = rest;
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    return server.handle({ method, url, headers, body: Buffer.from(text ?? ""), user, signal });
  };
  return {
    server,
    async ask(method, url, body, headers = {}) {
      const reply = await send(method, url, { body, headers, signal: new AbortController().signal });
      let text = "";
      if (typeof reply.body === "string") text = reply.body;
      else for await (const chunk of reply.body) text += chunk;
      const isJson = String(reply.headers["content-type"]).startsWith("application/json");
      return { status: reply.status, headers: reply.headers, body: isJson && text ? JSON.parse(text) : text };
    },
    async watch(url) {
      const gone = new AbortController();
      const reply = await send("GET", url, { signal: gone.signal });
      if (typeof reply.body === "string") throw new Error(`no watch but ${reply.status}: ${reply.body}`);
      return watching(reply.body, () => gone.abort());
    },
  };
}

function watching(chunks: AsyncIterable<string>, close: () => void): Watching {
  const iterator = chunks[Symbol.asyncIterator]();
  let lines: string[] = [];
  return {
    close,
    async next() {
      while (lines.length === 0) {
        const { done, value } = await iterator.next();
        if (done) return undefined;
        lines = value.split("\n").filter(Boolean);
      }
      return JSON.parse(lines.shift()!);
    },
  };
}

export const merge: Record<string, string> = { "content-type": "application/merge-patch+json" };

/** Asks until `good` holds, for what the server's own controllers do a moment later. */
export async function until(asker: Asker, url: string, good: (reply: Reply) => boolean): Promise<Reply> {
  for (const end = Date.now() + patience.timeout; ;) {
    const reply = await asker.ask("GET", url);
    if (good(reply)) return reply;
    if (Date.now() > end) throw new Error(`${url} never got there: ${reply.status} ${JSON.stringify(reply.body)}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

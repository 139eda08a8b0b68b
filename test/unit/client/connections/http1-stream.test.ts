import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Http1Pool } from "../../../../src/client/connections/http1-pool.ts";
import type { TransportResponse } from "../../../../src/client/transport.ts";
import { listen } from "../listen.ts";
import { patience } from "../../../patience.ts";

async function start(listener: RequestListener) {
  const server = createServer(listener);
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const port = await listen(server);
  const pool = new Http1Pool({ url: new URL(`http://127.0.0.1:${port}`), tls: undefined, idleTimeoutMs: 60_000 });
  onTestFinished(() => pool.close());
  return { pool, sockets };
}

const watch = (pool: Http1Pool, signal?: AbortSignal): Promise<TransportResponse> =>
  pool.exchange({
    method: "GET",
    path: "/things?watch=true",
    headers: {},
    stream: true,
    signal,
    failed: (error) => (signal?.aborted ? (signal.reason as Error) : error),
  });

/** Yields the chunks one at a time. */
function chunksOf(response: TransportResponse) {
  const chunks = response.body[Symbol.asyncIterator]();
  return {
    next: async () => {
      const { value, done } = await chunks.next();
      return done ? undefined : Buffer.from(value).toString();
    },
    leave: async () => void (await chunks.return?.()),
  };
}

/** Starts a server whose responses have a head, and a body that the test writes. */
async function open(signal?: AbortSignal) {
  const answers: ServerResponse[] = [];
  const { pool, sockets } = await start((_request, response) => {
    response.flushHeaders();
    answers.push(response);
  });
  const response = await watch(pool, signal);
  await vi.waitUntil(() => answers.length === 1, patience);
  return { pool, sockets, response, answer: answers[0]! };
}

describe("a streamed response", () => {
  it("arrives as it is sent, after its head, on a connection that ends with it", async () => {
    const { response, answer, sockets } = await open();
    expect(response).toMatchObject({ status: 200, headers: { "transfer-encoding": "chunked" } });
    const chunks = chunksOf(response);
    for (const text of ["one\n", "zwölf\n"]) {
      answer.write(text);
      expect(await chunks.next()).toBe(text);
    }
    answer.end("last\n");
    expect(await chunks.next()).toBe("last\n");
    expect(await chunks.next()).toBeUndefined();
    await vi.waitUntil(() => sockets.size === 0, patience);
  });

  it("can have a short body, which is read as a whole", async () => {
    const { pool } = await start((_request, response) => response.writeHead(429, { "retry-after": "7" }).end("busy"));
    const response = await watch(pool);
    expect(response).toMatchObject({ status: 429, headers: { "retry-after": "7" } });
    expect(await response.text()).toBe("busy");
  });

  it("leaves other connections for short requests", async () => {
    const { pool, sockets } = await start((request, response) => {
      response.flushHeaders();
      if (request.url === "/short") response.end("x");
    });
    await watch(pool);
    for (let round = 0; round < 3; round++) {
      const short = await pool.exchange({ method: "GET", path: "/short", headers: {}, failed: (error) => error });
      expect(await short.text()).toBe("x");
    }
    expect(sockets.size).toBe(2);
  });

  it("stops the server while it is not read, without loss", async () => {
    const { response, answer } = await open();
    const part = Buffer.alloc(64 * 1024, "x");
    let sent = 0;
    const fill = (): boolean => {
      while (sent < 400) {
        sent++;
        if (!answer.write(part)) return false;
      }
      return true;
    };
    const drained = vi.fn(() => void (fill() && answer.end()));
    answer.on("drain", drained);
    fill();
    // The buffers between the two hold far less than the whole body.
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBeLessThan(400);
    let size = 0;
    for await (const chunk of response.body) size += chunk.length;
    expect(size).toBe(400 * part.length);
    expect(drained).toHaveBeenCalled();
  }, 60_000);

  it("ends with its signal, and rejects the read with its reason", async () => {
    const stop = new AbortController();
    const { response, sockets } = await open(stop.signal);
    const next = chunksOf(response).next();
    stop.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
    await vi.waitUntil(() => sockets.size === 0, patience);
  });

  it("closes its connection when its reader stops, and when the pool closes", async () => {
    const left = await open();
    left.answer.write("one\n");
    const chunks = chunksOf(left.response);
    await chunks.next();
    await chunks.leave();
    await vi.waitUntil(() => left.sockets.size === 0, patience);

    const closed = await open();
    const next = chunksOf(closed.response).next();
    closed.pool.close();
    await expect(next).rejects.toMatchObject({ code: "ECONNRESET" });
    await vi.waitUntil(() => closed.sockets.size === 0, patience);
  });

  it("fails with its connection, before its head and within it", async () => {
    const { pool } = await start((request) => void request.socket.destroy());
    await expect(watch(pool)).rejects.toMatchObject({ code: "ECONNRESET" });

    const { response, answer, sockets } = await open();
    answer.write("one\n");
    const chunks = chunksOf(response);
    expect(await chunks.next()).toBe("one\n");
    for (const socket of sockets) socket.destroy();
    await expect(chunks.next()).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("fails if it is not HTTP", async () => {
    const { pool } = await start((request) => void request.socket.end("no HTTP\r\n\r\n"));
    await expect(watch(pool)).rejects.toThrow("the response is not HTTP/1.1");
  });
});

import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { maxSockets, type ConnectionPool } from "../../../../src/client/connections/connection-pool.ts";
import { http1Pool, Http1Pool } from "../../../../src/client/connections/http1-pool.ts";
import type { TransportResponse } from "../../../../src/client/transport.ts";
import { listen } from "../listen.ts";
import { patience } from "../../../patience.ts";

async function start(listener: RequestListener) {
  const server = createServer(listener);
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket) => {
    connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  return { server, port: await listen(server), sockets, connections: () => connections };
}

function pool(port: number, idleTimeoutMs = 60_000): Http1Pool {
  const made = new Http1Pool({ url: new URL(`http://127.0.0.1:${port}`), tls: undefined, idleTimeoutMs });
  onTestFinished(() => made.close());
  return made;
}

const returnError = (error: Error): Error => error;
const get = (from: ConnectionPool, path = "/", signal?: AbortSignal): Promise<TransportResponse> =>
  from.exchange({ method: "GET", path, headers: {}, signal, failed: returnError });
const bodyOf = async (response: Promise<TransportResponse>): Promise<string> => (await response).text();

describe("short requests over HTTP/1.1", () => {
  it("are sent and answered in full", async () => {
    const { port } = await start((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const { method, url, headers } = request;
        response.setHeader("x-many", ["1", "2"]);
        response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(parts).toString() }));
      });
    });
    const body = "é".repeat(100_000);
    const headers = { "impersonate-group": ["a", "b"], accept: "application/json" };
    const answer = await pool(port).exchange({ method: "PUT", path: "/x?y=%20z", headers, body, failed: returnError });
    expect(answer).toMatchObject({ status: 200, headers: { "x-many": "1, 2" } });
    expect(JSON.parse(await answer.text())).toEqual({
      method: "PUT",
      url: "/x?y=%20z",
      headers: {
        host: `127.0.0.1:${port}`,
        "impersonate-group": "a, b",
        accept: "application/json",
        "content-length": "200000",
      },
      body,
    });
  });

  it("open as many connections as needed, and keep them", async () => {
    const { port, connections } = await start((_request, response) => void setImmediate(() => response.end("x")));
    const one = pool(port);
    for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 10 }, () => get(one)));
    expect(connections()).toBe(10);
  });

  it("wait for one of a hundred connections, unless they are aborted", async () => {
    const held: (() => void)[] = [];
    const { port, connections } = await start((_request, response) => void held.push(() => response.end("x")));
    const one = pool(port);
    const stop = new AbortController();
    const under = Array.from({ length: 100 }, () => get(one));
    const aborted = get(one, "/", stop.signal);
    const late = Array.from({ length: 20 }, () => get(one));
    await vi.waitUntil(() => held.length === 100, patience);
    stop.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");
    for (let n = 0; n < 120; n++) {
      await vi.waitUntil(() => held.length > n, patience);
      held[n]!();
    }
    expect(await Promise.all([...under, ...late])).toHaveLength(120);
    expect(connections()).toBe(100);
  });

  it("avoid a connection that the server has closed, or closes soon", async () => {
    const { server, port, sockets, connections } = await start((_request, response) => void response.end("x"));
    const one = pool(port);
    await get(one);
    const [first] = sockets;
    first!.destroy();
    await vi.waitUntil(() => sockets.size === 0, patience);
    await vi.waitUntil(
      () =>
        get(one).then(
          () => true,
          () => false,
        ),
      patience,
    );
    expect(connections()).toBe(2);
    // Minus one second for data in flight, no time remains.
    server.keepAliveTimeout = 1000;
    await get(one);
    await vi.waitUntil(() => sockets.size === 0, patience);
    await get(one);
    expect(connections()).toBe(3);
  });

  it("fail if the connection is cut, before and within the response", async () => {
    const { port } = await start((request, response) => {
      if (request.url === "/none") return void request.socket.destroy();
      response.setHeader("content-length", 100);
      response.write("only this", () => request.socket.destroy());
    });
    const one = pool(port);
    await expect(get(one, "/none")).rejects.toMatchObject({ code: "ECONNRESET" });
    await expect(get(one, "/half")).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("fail if no byte arrives in time, even after a part of the response", async () => {
    const { port } = await start((_request, response) => {
      response.setHeader("content-length", 100);
      response.write("only this");
    });
    await expect(get(pool(port, 100))).rejects.toThrow("no response within 0.1 s");
  });

  it("end with their signal, before and after they are sent", async () => {
    const { port, sockets } = await start(() => undefined);
    const one = pool(port);
    await expect(get(one, "/", AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
    const stop = new AbortController();
    const request = get(one, "/", stop.signal);
    await vi.waitUntil(() => sockets.size === 1, patience);
    stop.abort();
    await expect(request).rejects.toThrow("aborted");
    await vi.waitUntil(() => sockets.size === 0, patience);
  });

  it.each([
    ["path", { path: "/a b", headers: {} }],
    ["path", { path: "/a\r\nx: y", headers: {} }],
    ["x-token", { path: "/", headers: { "x-token": "a\nb: c" } }],
  ])("reject line breaks in a %s", async (where, request) => {
    const { port, connections } = await start((_request, response) => void response.end("x"));
    const one = pool(port);
    const failure = one.exchange({ method: "GET", ...request, failed: returnError });
    await expect(failure).rejects.toThrow(`${where} contains an invalid character`);
    expect(connections()).toBe(0);
  });

  it.each(["directly", "through a proxy"])("never read earlier bytes as their response, %s", async (way) => {
    const answer = (body: string): string => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const sockets: Socket[] = [];
    const port = await listen(
      createTcpServer((socket) => {
        sockets.push(socket);
        socket.once("data", () => socket.write(answer("right")));
        socket.on("error", () => undefined);
      }),
    );
    // The server stands for the proxy, too: both get plain requests.
    const one = await http1Pool({
      url: new URL(`http://127.0.0.1:${port}`),
      tls: undefined,
      idleTimeoutMs: 60_000,
      ...(way === "directly" ? {} : { proxyUrl: `http://127.0.0.1:${port}` }),
    });
    onTestFinished(() => one.close());
    expect(await bodyOf(get(one))).toBe("right");
    sockets[0]!.resume().write(answer("wrong").slice(0, -1));
    await vi.waitUntil(() => sockets[0]!.destroyed, patience);
    expect(await bodyOf(get(one))).toBe("right");
  });

  it("leave a connection whose server responds before it has read the whole body", async () => {
    const sockets: Socket[] = [];
    const port = await listen(
      createTcpServer((socket) => {
        sockets.push(socket.on("error", () => undefined));
        socket.once("data", () => {
          socket.pause();
          socket.write("HTTP/1.1 413 Payload Too Large\r\ncontent-length: 0\r\n\r\n");
        });
      }),
    );
    const one = pool(port);
    const body = "x".repeat(30_000_000);
    const large = await one.exchange({ method: "POST", path: "/", headers: {}, body, failed: returnError });
    expect(large.status).toBe(413);
    expect((await get(one)).status).toBe(413);
    expect(sockets).toHaveLength(2);
  });

  it.each([
    ["hints", "HTTP/1.1 103 Early Hints\r\nx: ", "no complete response within 0.4 s"],
    ["a body", "HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n", "no complete response within 4 s"],
  ])("fail if %s trickle without an end", async (_, start, message) => {
    const port = await listen(
      createTcpServer((socket) => {
        socket.on("error", () => undefined);
        socket.once("data", () => {
          socket.write(start);
          const timer = setInterval(() => socket.write("x"), 20);
          socket.once("close", () => clearInterval(timer));
        });
      }),
    );
    await expect(get(pool(port, 400))).rejects.toThrow(message);
  });

  it("end when the pool closes; a retired pool completes those in flight, and closes their connections", async () => {
    const held: (() => void)[] = [];
    const { server, port, sockets } = await start((_request, response) => void held.push(() => response.end("x")));
    // The server closes no connection.
    server.keepAliveTimeout = 0;
    const [retired, closed] = [pool(port), pool(port)];
    const finishing = bodyOf(get(retired));
    const cut = get(closed);
    await vi.waitUntil(() => held.length === 2, patience);
    retired.retire();
    closed.close();
    await expect(cut).rejects.toMatchObject({ code: "ECONNRESET" });
    for (const answer of held) answer();
    expect(await finishing).toBe("x");
    await vi.waitUntil(() => sockets.size === 0, patience);
  });

  it("end when the pool closes before they have a connection", async () => {
    let count = 0;
    const { port, connections } = await start(() => void count++);
    const one = pool(port);
    const all = Array.from({ length: maxSockets + 1 }, () => get(one));
    await vi.waitUntil(() => count === maxSockets, patience);
    one.close();
    for (const cut of all) await expect(cut).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(connections()).toBe(maxSockets);
  });

  it.each([false, true])("end when the pool closes as they begin (a stream: %s)", async (stream) => {
    const { port, connections } = await start((_request, response) => void response.end("x"));
    const one = pool(port);
    const cut = one.exchange({ method: "GET", path: "/", headers: {}, stream, failed: returnError });
    one.close();
    await expect(cut).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(await bodyOf(get(pool(port)))).toBe("x");
    expect(connections()).toBe(1);
  });
});

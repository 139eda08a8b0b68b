import {
  constants,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import { createServer } from "node:https";
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { issueCertificates } from "../../../../src/apimachinery/certificates/issue-certificates.ts";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import type { ConnectionPool, PoolRequest } from "../../../../src/client/connections/connection-pool.ts";
import { createClient } from "../../../../src/client/create-client.ts";
import { Http2Pool } from "../../../../src/client/connections/http2-pool.ts";
import { HttpTransport } from "../../../../src/client/transport/http-transport.ts";
import { patience } from "../../../patience.ts";
import { until } from "../../runtime/until.ts";

const certificates = issueCertificates(["localhost", "127.0.0.1"], Date.now());
const Thing = defineKind({ group: "example.com", version: "v1", kind: "Thing", plural: "things" });
const cleanUp: (() => void)[] = [];

afterEach(() => {
  for (const clean of cleanUp.splice(0).toReversed()) clean();
});

type Listener = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** Starts a server of HTTP/2 only that records its sessions and requests. */
async function start(listener: Listener = (_request, response) => void response.end("{}"), settings: object = {}) {
  const sessions: ServerHttp2Session[] = [];
  const requests: string[] = [];
  const server = createSecureServer({ ...certificates.server, settings }, (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  server.on("session", (session) => sessions.push(session));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUp.push(() => {
    server.close();
    for (const session of sessions) session.destroy();
  });
  const onSession = (handle: () => void): void => void server.once("session", handle);
  const onEachSession = (handle: (session: ServerHttp2Session) => void): void => void server.on("session", handle);
  return { port: (server.address() as AddressInfo).port, sessions, requests, onSession, onEachSession };
}

function transport(port: number, more: object = {}, idleTimeoutMs: number = patience.timeout): HttpTransport {
  const config = {
    server: `https://127.0.0.1:${port}`,
    namespace: "n",
    source: "test",
    ca: certificates.ca,
    http2: true,
  };
  const made = new HttpTransport({ ...config, ...more }, { userAgent: "me", idleTimeoutMs });
  cleanUp.push(() => made.close());
  return made;
}

async function get(from: HttpTransport, path = "/"): Promise<string> {
  const response = await from.request({ method: "GET", path });
  return `${response.status} ${await response.text()}`;
}

async function firstChunk(body: AsyncIterable<Uint8Array>): Promise<string> {
  for await (const chunk of body) return Buffer.from(chunk).toString();
  return "nothing";
}

const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4 };
const [endStream, endHeaders] = [1, 4];
/** `:status: 200` in the static table of HPACK. */
const statusOk = 0x88;
const prefaceSize = 24;

function frame(type: number, id: number, payload: Buffer, flags = 0): Buffer {
  const head = Buffer.from([0, 0, payload.length, type, flags, 0, 0, 0, id]);
  return Buffer.concat([head, payload]);
}

/** Starts a server that responds to a request with these frames: Node's never sends some of them. */
async function startRaw(respond: (id: number) => Buffer[]): Promise<number> {
  const server = createTlsServer({ ...certificates.server, ALPNProtocols: ["h2"] }, (socket) => {
    cleanUp.push(() => socket.destroy());
    let bytes = Buffer.alloc(0);
    let at = prefaceSize;
    socket.write(frame(frameTypes.settings, 0, Buffer.alloc(0)));
    socket
      .on("error", () => undefined)
      .on("data", (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk]);
        for (; bytes.length >= at + 9; at += 9 + bytes.readUIntBE(at, 3)) {
          if (bytes[at + 3] === frameTypes.headers) socket.write(Buffer.concat(respond(bytes.readUInt32BE(at + 5))));
        }
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUp.push(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe("HTTP/2", () => {
  it("carries many requests over one connection", async () => {
    const { port, sessions, requests } = await start();
    const one = transport(port);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => get(one, `/${n}`)));
    expect(new Set(answers)).toEqual(new Set(["200 {}"]));
    expect(requests).toHaveLength(50);
    expect(sessions).toHaveLength(1);
  });

  it("sends credentials and headers, with one line per value", async () => {
    let seen: Http2ServerRequest | undefined;
    let body = "";
    const { port } = await start((request, response) => {
      seen = request;
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => response.end("{}"));
    });
    const one = transport(port, { token: "t", impersonate: { user: "jane", groups: ["a", "b"] } });
    await (await one.request({ method: "POST", path: "/x", body: "héllo", headers: { accept: "a" } })).text();
    expect(body).toBe("héllo");
    expect(seen!.headers).toMatchObject({ authorization: "Bearer t", "user-agent": "me", accept: "a" });
    expect(seen!.rawHeaders.filter((name) => name === "impersonate-group")).toHaveLength(2);
  });

  it("supports the whole client: list, watch, and a watch that ends with its loop", async () => {
    let closed = false;
    const { port } = await start((request, response) => {
      if (!request.url.includes("watch=true"))
        return void response.end(JSON.stringify({ metadata: {}, items: [{ metadata: { name: "a" } }] }));
      request.stream.once("close", () => (closed = true));
      response.write(`${JSON.stringify({ type: "ADDED", object: { metadata: { name: "b" } } })}\n`);
    });
    const client = createClient({ transport: transport(port) });
    expect((await client.list(Thing)).items[0]).toMatchObject({ kind: "Thing", metadata: { name: "a" } });
    for await (const { object } of client.watch(Thing)) {
      expect(object.metadata.name).toBe("b");
      break;
    }
    await until("the server sees the end of the watch", () => closed);
  });

  it("uses another connection for streams, so that an unread stream blocks no request", async () => {
    const big = Buffer.alloc(256 * 1024, "x");
    const { port, sessions } = await start((request, response) => {
      if (request.url !== "/stream") return void response.end("{}");
      const writeMore = (): void => {
        while (response.write(big));
        response.once("drain", writeMore);
      };
      writeMore();
    });
    const one = transport(port);
    const stream = await one.request({ method: "GET", path: "/stream", stream: true });
    expect(await get(one)).toBe("200 {}");
    expect(sessions).toHaveLength(2);
    expect(await firstChunk(stream.body)).toContain("xxx");
  });

  it("ends with the reason of the signal, before and after the start of the response", async () => {
    const { port } = await start((request, response) => {
      if (request.url === "/stream") response.write("begin");
    });
    const one = transport(port);
    const stopping = new AbortController();
    const silent = one.request({ method: "GET", path: "/silent", signal: stopping.signal });
    const stream = await one.request({ method: "GET", path: "/stream", stream: true, signal: stopping.signal });
    const reading = (async () => {
      for await (const chunk of stream.body) expect(Buffer.from(chunk).toString()).toBe("begin");
    })();
    const reason = new Error("enough");
    stopping.abort(reason);
    await expect(silent).rejects.toBe(reason);
    await expect(reading).rejects.toThrow();
  });

  it("uses a new connection after a GOAWAY, while requests in flight continue", async () => {
    let stream: Http2ServerResponse | undefined;
    const { port, sessions } = await start((request, response) => {
      if (request.url !== "/stream") return void response.end("{}");
      stream = response;
      response.write("one");
    });
    const one = transport(port);
    const watching = await one.request({ method: "GET", path: "/stream", stream: true });
    const chunks = watching.body[Symbol.asyncIterator]();
    await chunks.next();
    await get(one);
    for (const session of sessions) session.goaway();
    await until("a request takes a new connection", async () => (await get(one)) === "200 {}" && sessions.length === 3);
    stream!.write("two");
    expect(Buffer.from((await chunks.next()).value as Uint8Array).toString()).toBe("two");
    stream!.end();
    expect(await chunks.next()).toMatchObject({ done: true });
  });

  it("repeats a request that the server rejected unprocessed, including writes", async () => {
    let refusals = 0;
    const { port, requests } = await start((request, response) => {
      if (refusals++ < 1) request.stream.close(constants.NGHTTP2_REFUSED_STREAM);
      else response.end("{}");
    });
    const response = await transport(port).request({ method: "POST", path: "/x", body: "{}" });
    expect(await response.text()).toBe("{}");
    expect(requests).toEqual(["POST /x", "POST /x"]);
  });

  it("sends a request at most three times to a server that rejects it unprocessed", async () => {
    const { port, requests } = await start((request) => request.stream.close(constants.NGHTTP2_REFUSED_STREAM));
    await expect(get(transport(port))).rejects.toMatchObject({ code: "TSOP_SERVER_UNREACHABLE" });
    expect(requests).toEqual(["GET /", "GET /", "GET /"]);
  });

  it("does not repeat a write that the server may have processed before it closed the connection", async () => {
    const { port, requests } = await start((request) => {
      request.stream.session?.goaway(constants.NGHTTP2_REFUSED_STREAM, request.stream.id);
    });
    const sent = transport(port).request({ method: "POST", path: "/x", body: "{}" });
    await expect(sent).rejects.toMatchObject({ code: "TSOP_SERVER_UNREACHABLE" });
    expect(requests).toEqual(["POST /x"]);
  });

  it("repeats a write whose number is above the last one that the server has processed", async () => {
    let closes = 1;
    const { port, requests } = await start((request, response) => {
      if (request.method === "POST" && closes-- > 0)
        request.stream.session?.goaway(constants.NGHTTP2_INTERNAL_ERROR, request.stream.id! - 2);
      else response.end("{}");
    });
    const one = transport(port);
    await get(one);
    expect(await (await one.request({ method: "POST", path: "/x", body: "{}" })).text()).toBe("{}");
    expect(requests).toEqual(["GET /", "POST /x", "POST /x"]);
  });

  it("waits for a server that allows no requests for a while, with one connection", async () => {
    const { port, sessions, requests } = await start(undefined, { maxConcurrentStreams: 0 });
    const one = transport(port);
    const stopping = new AbortController();
    const aborted = one.request({ method: "GET", path: "/aborted", signal: stopping.signal });
    aborted.catch(() => undefined);
    const answers = Promise.all([get(one), get(one)]);
    await until("a connection", () => sessions.length === 1);
    // Time for more connections: each ping goes there and back.
    for (let pings = 0; pings < 200; pings++) await new Promise<void>((resolve) => sessions[0]!.ping(() => resolve()));
    expect(sessions).toHaveLength(1);
    stopping.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");
    sessions[0]!.settings({ maxConcurrentStreams: 1 });
    expect(await answers).toEqual(["200 {}", "200 {}"]);
    expect(requests).toEqual(["GET /", "GET /"]);
    expect(sessions.length).toBeLessThan(3);
  });

  it("fails if the server never allows a request, or closes each connection", async () => {
    const { port, sessions } = await start(undefined, { maxConcurrentStreams: 0 });
    await expect(get(transport(port, {}, 300))).rejects.toThrow("the server allows no further request within 0.3 s");
    expect(sessions).toHaveLength(1);
    const closing = await start();
    closing.onEachSession((session) => session.once("remoteSettings", () => session.destroy()));
    await expect(get(transport(closing.port))).rejects.toMatchObject({ code: "TSOP_SERVER_UNREACHABLE" });
    expect(closing.sessions.length).toBeLessThanOrEqual(3);
  });

  it("reads a body that ends with trailers", async () => {
    const { port } = await start((_request, response) => {
      response.addTrailers({ a: "b" });
      response.end("{}");
    });
    expect(await get(transport(port))).toBe("200 {}");
  });

  it("rejects a body that ends with a reset of the stream, also without an error code", async () => {
    const data = Buffer.from("half of");
    const port = await startRaw((id) => [
      frame(frameTypes.headers, id, Buffer.from([statusOk]), endHeaders),
      frame(frameTypes.data, id, data),
      frame(frameTypes.reset, id, Buffer.alloc(4)),
    ]);
    await expect(get(transport(port))).rejects.toMatchObject({ code: "TSOP_SERVER_UNREACHABLE" });
  });

  it.each(["000", "099"])("rejects a response with the status %s", async (status) => {
    // A literal with the name of entry 8, `:status`.
    const head = Buffer.concat([Buffer.from([0x08, 3]), Buffer.from(status)]);
    const port = await startRaw((id) => [
      frame(frameTypes.headers, id, head, endHeaders),
      frame(frameTypes.data, id, Buffer.from("{}"), endStream),
    ]);
    await expect(get(transport(port))).rejects.toThrow(
      `the response is not HTTP/2: it has the status ${Number(status)}`,
    );
  });

  it("passes over informational responses, but for one that switches the protocol", async () => {
    const heads = (first: string) => (id: number) => [
      frame(frameTypes.headers, id, Buffer.concat([Buffer.from([0x08, 3]), Buffer.from(first)]), endHeaders),
      frame(frameTypes.headers, id, Buffer.from([statusOk]), endHeaders),
      frame(frameTypes.data, id, Buffer.from("{}"), endStream),
    ];
    expect(await get(transport(await startRaw(heads("103"))))).toBe("200 {}");
    await expect(get(transport(await startRaw(heads("101"))))).rejects.toMatchObject({
      code: "TSOP_SERVER_UNREACHABLE",
    });
  });

  it("limits the time for the head and the whole of a response that trickles", async () => {
    const { port } = await start((request, response) => {
      const send = (): void => {
        if (request.url === "/hints") response.stream.additionalHeaders({ ":status": 103 });
        else response.write("x");
      };
      const timer = setInterval(send, 20);
      response.stream.once("close", () => clearInterval(timer));
    });
    await expect(get(transport(port, {}, 400), "/hints")).rejects.toThrow("no response within 0.4 s");
    await expect(get(transport(port, {}, 400), "/body")).rejects.toThrow("no complete response within 4 s");
  });

  it("repeats a read after a broken connection, and reports the cut to a watch", async () => {
    let breaks = 1;
    const { port } = await start((request, response) => {
      if (request.url.includes("watch"))
        response.write(`${JSON.stringify({ type: "ADDED", object: { metadata: { name: "b" } } })}\n`);
      else if (breaks-- > 0) return request.stream.session?.destroy();
      else response.end(JSON.stringify({ metadata: { name: "a" } }));
      if (request.url.includes("watch")) setImmediate(() => request.stream.session?.destroy());
    });
    const client = createClient({ transport: transport(port) });
    expect(await client.get(Thing, { namespace: "n", name: "a" })).toMatchObject({ metadata: { name: "a" } });
    const watching = (async () => {
      for await (const event of client.watch(Thing)) expect(event.type).toBe("ADDED");
    })();
    await expect(watching).rejects.toMatchObject({ code: "TSOP_SERVER_UNREACHABLE", cause: { code: "ECONNRESET" } });
  });

  it("opens another connection at the server's limit of streams", async () => {
    const { port, sessions } = await start((_request, response) => void response.write("begin"), {
      maxConcurrentStreams: 2,
    });
    const one = transport(port);
    const streams = [];
    for (let n = 0; n < 5; n++) streams.push(await one.request({ method: "GET", path: "/", stream: true }));
    expect(await Promise.all(streams.map(({ body }) => firstChunk(body)))).toEqual(
      Array.from({ length: 5 }, () => "begin"),
    );
    expect(sessions).toHaveLength(3);
  });

  it("times out without a response", async () => {
    const { port } = await start(() => undefined);
    await expect(get(transport(port, {}, 1_000))).rejects.toThrow("no response within 1 s");
  });

  it("detects an unreachable peer", async () => {
    const { port } = await start((_request, response) => void response.write("begin"));
    const sockets: Socket[] = [];
    const relay = createTcpServer((socket) => {
      const upstream = connect(port, "127.0.0.1");
      sockets.push(socket, upstream);
      socket.pipe(upstream).pipe(socket);
    });
    await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
    cleanUp.push(() => {
      relay.close();
      for (const socket of sockets) socket.destroy();
    });
    const pool: ConnectionPool = new Http2Pool({
      url: new URL(`https://127.0.0.1:${(relay.address() as AddressInfo).port}`),
      tls: { ca: certificates.ca, minVersion: "TLSv1.2", rejectUnauthorized: true },
      idleTimeoutMs: 60_000,
      pingMs: 50,
      pingTimeoutMs: 2_000,
    });
    cleanUp.push(() => pool.close());
    const request: PoolRequest = {
      method: "GET",
      path: "/",
      headers: {},
      stream: true,
      failed: (error: Error) => error,
    };
    const { body } = await pool.exchange(request);
    const reading = (async () => {
      for await (const chunk of body) {
        expect(chunk.length).toBe(5);
        for (const socket of sockets) socket.unpipe();
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("closes all connections and watches when it is closed", async () => {
    const { port, sessions } = await start((_request, response) => void response.write("x"));
    const one = transport(port);
    const watch = await one.request({ method: "GET", path: "/", stream: true });
    const rest = watch.text();
    rest.catch(() => undefined);
    const short = get(one);
    short.catch(() => undefined);
    await until("both connections", () => sessions.length === 2);
    one.close();
    await expect(rest).rejects.toThrow("can't be reached");
    await expect(short).rejects.toThrow("can't be reached");
    await until("their ends", () => sessions.every((session) => session.destroyed));
  });

  it("closes a connection that is not open yet when it is closed", async () => {
    const { port, sessions, onSession } = await start((_request, response) => void response.write("x"));
    const one = transport(port);
    onSession(() => one.close());
    await expect(get(one)).rejects.toThrow("can't be reached");
    await until("its end", () => sessions.length === 1 && sessions.every((session) => session.destroyed));
  });

  it("closes HTTP/1.1 connections too, if the server supports only that", async () => {
    const server = createServer(certificates.server, (_request, response) => void response.write("x"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanUp.push(() => server.close().closeAllConnections());
    const one = transport((server.address() as AddressInfo).port);
    const watch = await one.request({ method: "GET", path: "/", stream: true });
    const rest = watch.text();
    one.close();
    await expect(rest).rejects.toThrow("can't be reached");
  });

  it("times out if the server does not complete TLS", async () => {
    const server = createTlsServer({ ...certificates.server, ALPNProtocols: ["h2"] });
    server.on("secureConnection", (socket) => cleanUp.push(() => socket.destroy()));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanUp.push(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const config = { server: `https://127.0.0.1:${port}`, namespace: "n", source: "test", ca: certificates.ca };
    const one = new HttpTransport({ ...config, http2: true }, { connectTimeoutMs: 300 });
    cleanUp.push(() => one.close());
    await expect(get(one)).rejects.toThrow("connecting timed out (ETIMEDOUT)");
  });

  it("falls back to HTTP/1.1 if the server supports only that", async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer(certificates.server, (request, response) => {
      seen.push(request.httpVersion);
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanUp.push(() => {
      server.close();
      server.closeAllConnections();
    });
    const one = transport((server.address() as AddressInfo).port);
    expect(await Promise.all([get(one), get(one)])).toEqual(["200 {}", "200 {}"]);
    expect(seen).toEqual(["1.1", "1.1"]);
  });

  it("rejects an unknown authority, and reports an unreachable server", async () => {
    const { port } = await start();
    const wrong = transport(port, { ca: issueCertificates(["x"], Date.now()).ca });
    await expect(get(wrong)).rejects.toMatchObject({ code: "TSOP_SERVER_CERTIFICATE" });
    await expect(get(transport(1))).rejects.toMatchObject({ code: "TSOP_SERVER_UNREACHABLE" });
  });
});

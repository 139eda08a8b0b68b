import { createServer as createHttpsServer } from "node:https";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { issueCertificates } from "../../../../src/apimachinery/certificates/issue-certificates.ts";
import { HttpTransport } from "../../../../src/client/transport/http-transport.ts";
import type { TransportRequest } from "../../../../src/client/transport.ts";
import { TsopError } from "../../../../src/errors/tsop-error.ts";
import { listen, startTunnels } from "../listen.ts";
import { patience } from "../../../patience.ts";

const certificates = issueCertificates(["localhost", "127.0.0.1"], Date.now());

/** Starts a server that records the requests whose body has arrived, and those that began. */
async function startServer() {
  const began: string[] = [];
  const whole: string[] = [];
  const server = createHttpsServer(certificates.server, (request, response) => {
    const { method = "" } = request;
    began.push(method);
    request.resume().on("end", () => {
      whole.push(method);
      response.end("{}");
    });
  });
  return { port: await listen(server), began, whole };
}

/** Starts a relay that passes on nothing while it is shut, and counts its connections. */
async function startGate(to: number) {
  const sockets: [Socket, Socket][] = [];
  let isShut = false;
  const pass = ([from, upstream]: [Socket, Socket]): void => void from.pipe(upstream).pipe(from);
  const port = await listen(
    createServer((from) => {
      const pair: [Socket, Socket] = [from, connect(to, "127.0.0.1")];
      const [, upstream] = pair;
      from.on("close", () => upstream.destroy());
      upstream.on("error", () => undefined);
      sockets.push(pair);
      if (!isShut) pass(pair);
    }),
  );
  const shut = (): void => {
    isShut = true;
    for (const [from, upstream] of sockets) from.unpipe(upstream).pause();
  };
  const open = (): void => {
    isShut = false;
    sockets.forEach(pass);
  };
  return { port, shut, open, connections: () => sockets.length };
}

function lease() {
  let holds = true;
  let checks = 0;
  const fence = (): void => {
    checks++;
    if (!holds) throw new TsopError("TSOP_NOT_LEADING", { seconds: "11" });
  };
  return { fence, lose: () => void (holds = false), checks: () => checks };
}

const lost = { code: "TSOP_NOT_LEADING" };

describe.each([
  ["directly", false],
  ["through a proxy", true],
])("a write that is sent %s", (_, proxied) => {
  const setUp = async (more: object = {}) => {
    const server = await startServer();
    const gate = await startGate(server.port);
    const route = proxied ? { proxyUrl: (await startTunnels()).url } : {};
    const config = { server: `https://127.0.0.1:${gate.port}`, namespace: "n", source: "test", ca: certificates.ca };
    const transport = new HttpTransport({ ...config, ...route, ...more }, { idleTimeoutMs: patience.timeout });
    onTestFinished(() => transport.close());
    const { fence, lose, checks } = lease();
    const send = async (more: Partial<TransportRequest> = {}): Promise<number> => {
      const answer = await transport.request({ method: "POST", path: "/x", body: "{}", fence, ...more });
      await answer.text();
      return answer.status;
    };
    return { server, gate, transport, lose, send, checks };
  };

  it("is answered while the lease is held", async () => {
    const { server, send } = await setUp();
    expect(await Promise.all([send(), send({ body: "x".repeat(1_000_000) }), send({ method: "DELETE" })])).toEqual([
      200, 200, 200,
    ]);
    expect(server.whole.toSorted()).toEqual(["DELETE", "POST", "POST"]);
  });

  it("leaves no byte if the lease is lost while its connection opens", async () => {
    const { server, gate, lose, send, transport } = await setUp();
    gate.shut();
    const sent = send();
    sent.catch(() => undefined);
    await vi.waitUntil(() => gate.connections() === 1, patience);
    lose();
    gate.open();
    await expect(sent).rejects.toMatchObject(lost);
    await (await transport.request({ method: "GET", path: "/x" })).text();
    expect(server.began).toEqual(["GET"]);
  });

  it("leaves no byte if the lease is lost while it is throttled", async () => {
    const { server, lose, send } = await setUp({ qps: 10, burst: 1 });
    expect(await send()).toBe(200);
    const sent = send();
    lose();
    await expect(sent).rejects.toMatchObject(lost);
    expect(server.began).toEqual(["POST"]);
  });

  it("stays incomplete if the lease is lost while the server does not read its body", async () => {
    const { server, gate, lose, send, checks } = await setUp();
    expect(await send()).toBe(200);
    gate.shut();
    const sent = send({ method: "PUT", body: "x".repeat(30_000_000) });
    sent.catch(() => undefined);
    // More than the system takes without a reader.
    const before = checks();
    await vi.waitUntil(() => checks() > before + 2, patience);
    lose();
    gate.open();
    await expect(sent).rejects.toMatchObject(lost);
    expect(server.whole).toEqual(["POST"]);
  });
});

import { once } from "node:events";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { issueCertificates } from "../../../../src/apimachinery/certificates/issue-certificates.ts";
import { startHttpServer } from "../../../../src/runtime/servers/http-server.ts";
import { patience } from "../../../patience.ts";

const { server: tls } = issueCertificates(["localhost"], Date.now());
const options = { what: "test", flag: "--x", address: "127.0.0.1:0", handler: () => undefined };

describe("a closing server", () => {
  it("does not wait for an unused connection", async () => {
    const server = await startHttpServer(options);
    const socket = connect(server.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    await Promise.all([once(socket, "connect"), until(server)]);
    await server.close();
  });

  it.each([
    ["HTTP/1.1", false, ["http/1.1"]],
    ["HTTP/2", true, ["h2"]],
  ])("does not wait for an unused TLS connection of %s", async (_, http2, ALPNProtocols) => {
    const server = await startHttpServer({ ...options, tls, http2 });
    const socket: TLSSocket = connectTls({ port: server.port, rejectUnauthorized: false, ALPNProtocols });
    onTestFinished(() => void socket.destroy());
    await once(socket, "secureConnect");
    await server.close();
  });

  it("completes a request in flight, and then closes its connection", async () => {
    let finish = (): void => {};
    const handler = vi.fn((_request: unknown, response: { end: (text: string) => void }) => {
      finish = () => response.end("done");
    });
    const server = await startHttpServer({ ...options, handler });
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const answer = new Promise<string>((resolve) => {
      get({ port: server.port, agent }, (response) => response.on("data", (chunk) => resolve(String(chunk))));
    });
    await vi.waitUntil(() => handler.mock.calls.length > 0, patience);
    const closed = server.close();
    finish();
    expect(await answer).toBe("done");
    await closed;
  });
});

it.each([
  [1000 * 1024, 200],
  [1100 * 1024, 431],
])("a server accepts a megabyte of headers: %i bytes get status %i", async (size, expected) => {
  const server = await startHttpServer({ ...options, handler: (_request, response) => void response.end() });
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { "x-large": "x".repeat(size), connection: "close" };
    get({ port: server.port, headers }, (response) => resolve(response.resume().statusCode)).once("error", reject);
  });
  expect(status).toBe(expected);
  await server.close();
});

/** Waits until the server has accepted the connections of the client: it responds to a request only after that. */
async function until({ port }: { readonly port: number }): Promise<void> {
  const probe = connect(port, "127.0.0.1");
  await once(probe, "connect");
  probe.end();
  await once(probe.resume(), "close");
}

import { once } from "node:events";
import { request } from "node:http";
import { get as getTls } from "node:https";
import { describe, expect, it } from "vitest";
import { issueCertificates } from "../../../../src/apimachinery/certificates/issue-certificates.ts";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import { zapLogger } from "../../../../src/runtime/log/zap-logger.ts";
import { createManager } from "../../../../src/runtime/manager/create-manager.ts";
import { Server, type ServerOptions } from "../../../../src/runtime/servers/server.ts";
import { ScriptedServer } from "../../scripted-server.ts";
import { runInTest } from "../run.ts";
import { until } from "../until.ts";
import { loggedLines } from "../logged-lines.ts";

const { server: tls, ca } = issueCertificates(["localhost"], Date.now());
/** Runs without a manager; its requests are held until they are answered. */
async function start(options: Partial<ServerOptions> = {}) {
  const { logger, lines } = loggedLines();
  const held: { end(text: string): void }[] = [];
  const handler: ServerOptions["handler"] = (_request, response) => void held.push(response);
  const server = new Server({ name: "greeting", address: "127.0.0.1:0", handler, logger, ...options });
  const { stop, done } = runInTest((signal) => server.start(signal));
  await until("the port", () => server.port !== undefined);
  const ask = async (): Promise<string> => {
    const outgoing = request({ host: "127.0.0.1", port: server.port, agent: false }).end();
    const [response] = (await once(outgoing, "response")) as [AsyncIterable<Buffer>];
    let text = "";
    for await (const chunk of response) text += String(chunk);
    return text;
  };
  return { server, stop, done, ask, held, lines };
}

describe("a custom server", () => {
  it("completes requests in flight, and logs its steps", async () => {
    const { server, stop, done, ask, held, lines } = await start();
    const answer = ask();
    await until("the request", () => held.length === 1);
    const addr = `127.0.0.1:${server.port}`;
    stop.abort();
    await until("the end", () => lines.length === 2);
    held[0]!.end("hello");
    expect(await answer).toBe("hello");
    await done;
    const fields = { name: "greeting", addr };
    expect(lines).toMatchObject([
      { msg: "starting server", ...fields },
      { msg: "shutting down server", ...fields },
    ]);
  });

  it("cuts off requests that exceed the shutdown time", async () => {
    const { stop, done, ask, held } = await start({ shutdownTimeout: 20 });
    const answer = ask();
    await until("the request", () => held.length === 1);
    stop.abort();
    await expect(answer).rejects.toThrow("socket hang up");
    await done;
  });

  it("serves HTTPS with a certificate", async () => {
    const { server } = await start({ tls, handler: (_request, response) => void response.end("safe") });
    const outgoing = getTls({ host: "127.0.0.1", servername: "localhost", port: server.port, ca, agent: false });
    const [response] = (await once(outgoing, "response")) as [AsyncIterable<Buffer>];
    for await (const chunk of response) expect(String(chunk)).toBe("safe");
  });

  it("is named if its port is in use", async () => {
    const { server } = await start();
    const second = new Server({ name: "other", address: `127.0.0.1:${server.port}`, handler: () => undefined });
    await expect(second.listen()).rejects.toThrow(
      `the other server can't listen on 127.0.0.1:${server.port}: the port is in use`,
    );
  });
});

describe("in a manager", () => {
  /** Returns a manager whose API server never responds, so that no cache syncs and no candidate leads. */
  async function manager() {
    const api = await ScriptedServer.start(() => undefined);
    return createManager(api.config, {
      logger: zapLogger({ write: () => undefined }),
      metrics: { bindAddress: "0" },
      leaderElection: { enabled: true, id: "a", namespace: "n" },
    });
  }

  const handler: ServerOptions["handler"] = (_request, response) => void response.end("x");

  it("serves before caches are in sync, unless it needs leader election", async () => {
    const mgr = await manager();
    const everywhere = new Server({ name: "everywhere", address: "127.0.0.1:0", handler });
    const leader = new Server({ name: "leader", address: "127.0.0.1:0", handler, onlyServeWhenLeader: true });
    mgr.add(leader);
    mgr.add(everywhere);
    mgr.cache.informer(defineKind({ group: "", version: "v1", kind: "Thing", plural: "things" }));
    const stop = new AbortController();
    const done = mgr.start(stop.signal);
    await until("the server", () => everywhere.port !== undefined);
    expect(mgr.cache.unsynced).toEqual(["Thing"]);
    expect(leader.port).toBeUndefined();
    stop.abort();
    await done;
  });

  it("stops the manager if its port is in use", async () => {
    const { server } = await start();
    const mgr = await manager();
    mgr.add(new Server({ name: "second", address: `127.0.0.1:${server.port}`, handler }));
    await expect(mgr.start(new AbortController().signal)).rejects.toThrow("the second server can't listen");
  });
});

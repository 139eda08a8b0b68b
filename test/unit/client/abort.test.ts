import { createServer } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { defineKind } from "../../../src/apimachinery/kind.ts";
import { ApiError, failure } from "../../../src/apimachinery/status.ts";
import type { Client } from "../../../src/client/client.ts";
import type { ClientConfig } from "../../../src/client/config/config.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { HttpTransport } from "../../../src/client/transport/http-transport.ts";
import { retryOnConflict } from "../../../src/client/retry-on-conflict.ts";
import { ScriptedServer, type Answer } from "../scripted-server.ts";
import { listen } from "./listen.ts";
import { until } from "../runtime/until.ts";

const Thing = defineKind({ group: "example.com", version: "v1", kind: "Thing", plural: "things" });
const key = { namespace: "n", name: "a" };

/** Accepts connections and never responds. */
async function startSilentServer(): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const port = await listen(createTcpServer(() => connections++));
  return { port, connections: () => connections };
}

async function startScripted(answer: Answer): Promise<{ server: ScriptedServer; client: Client }> {
  const server = await ScriptedServer.start(answer);
  return { server, client: server.client() };
}

function clientOf(config: Partial<ClientConfig> & { server: string }, connectTimeoutMs = 30_000): Client {
  const whole = { namespace: "default", source: "test", ...config };
  const transport = new HttpTransport(whole, { connectTimeoutMs });
  onTestFinished(() => transport.close());
  return createClient({ transport });
}

/** A call with a signal, and the condition under which the call waits. */
type Waiting = () => Promise<{ call: (signal: AbortSignal) => Promise<unknown>; waits: () => boolean }>;

const execThatHangs = {
  apiVersion: "client.authentication.k8s.io/v1",
  command: process.execPath,
  args: ["-e", "setTimeout(() => {}, 10_000)"],
  env: [],
  interactiveMode: "Never",
} as const;

const waitings: Readonly<Record<string, Waiting>> = {
  "for the duration of Retry-After": async () => {
    const { server, client } = await startScripted((exchange) => exchange.refuse(429, "TooManyRequests", { "retry-after": "60" })); // prettier-ignore
    return { call: (signal) => client.get(Thing, key, { signal }), waits: () => server.requests.length === 1 };
  },
  "for a Retry-After that no timer can wait for": async () => {
    const { server, client } = await startScripted((exchange) => exchange.refuse(429, "TooManyRequests", { "retry-after": "3000000" })); // prettier-ignore
    return { call: (signal) => client.get(Thing, key, { signal }), waits: () => server.requests.length === 1 };
  },
  "to repeat a read after a broken connection": async () => {
    const { server, client } = await startScripted((exchange) => exchange.cut());
    return { call: (signal) => client.get(Thing, key, { signal }), waits: () => server.requests.length === 1 };
  },
  "for the rest of a response": async () => {
    const { server, client } = await startScripted((exchange) => exchange.text('{"metadata":'));
    return { call: (signal) => client.update(Thing, { metadata: key }, { signal }), waits: () => server.requests.length === 1 }; // prettier-ignore
  },
  "for the rest of a page": async () => {
    const { server, client } = await startScripted((exchange) => exchange.text('{"items":['));
    const call = async (signal: AbortSignal): Promise<void> => {
      for await (const _item of client.listEach(Thing, { signal }));
    };
    return { call, waits: () => server.requests.length === 1 };
  },
  "for a server that does not start TLS": async () => {
    const { port, connections } = await startSilentServer();
    const client = clientOf({ server: `https://127.0.0.1:${port}` });
    return { call: (signal) => client.get(Thing, key, { signal }), waits: () => connections() === 1 };
  },
  "for a proxy": async () => {
    const { port, connections } = await startSilentServer();
    const client = clientOf({ server: "https://127.0.0.1:1", proxyUrl: `http://127.0.0.1:${port}` });
    return { call: (signal) => client.get(Thing, key, { signal }), waits: () => connections() === 1 };
  },
  "for a SOCKS5 proxy": async () => {
    const { port, connections } = await startSilentServer();
    const client = clientOf({ server: "https://127.0.0.1:1", proxyUrl: `socks5://127.0.0.1:${port}` });
    return { call: (signal) => client.get(Thing, key, { signal }), waits: () => connections() === 1 };
  },
  "for a credential program": async () => {
    const client = clientOf({ server: "http://127.0.0.1:1", exec: execThatHangs });
    return { call: (signal) => client.get(Thing, key, { signal }), waits: () => true };
  },
  "for one of a hundred connections": async () => {
    const { server, client } = await startScripted(() => undefined);
    const others = new AbortController();
    onTestFinished(() => others.abort());
    for (let n = 0; n < 100; n++) client.get(Thing, key, { signal: others.signal }).catch(() => undefined);
    return { call: (signal) => client.get(Thing, key, { signal }), waits: () => server.requests.length === 100 };
  },
  "to retry after a conflict": async () => {
    let tries = 0;
    const change = (): Promise<never> => {
      tries++;
      return Promise.reject(new ApiError(failure("Conflict", "somebody was faster")));
    };
    return { call: (signal) => retryOnConflict(change, { waitMs: 60_000, signal }), waits: () => tries === 1 };
  },
};

describe("an abort", () => {
  it.each(Object.entries(waitings))("ends the wait %s immediately with its reason", async (_name, waiting) => {
    const { call, waits } = await waiting();
    const stop = new AbortController();
    const reason = new Error("enough");
    const ended = call(stop.signal).then(
      () => "an answer",
      (error: unknown) => error,
    );
    await until("the call waits", waits);
    stop.abort(reason);
    expect(await ended).toBe(reason);
    await expect(call(stop.signal)).rejects.toBe(reason);
  });

  it("of one call keeps the credential program running for other calls", async () => {
    const { server } = await startScripted((exchange) => exchange.json({ metadata: key }));
    const status = { token: "t" };
    const credential = JSON.stringify({ apiVersion: execThatHangs.apiVersion, kind: "ExecCredential", status });
    const args = ["-e", `setTimeout(() => console.log(${JSON.stringify(credential)}), 300)`];
    const client = clientOf({ ...server.config, exec: { ...execThatHangs, args } });
    const stop = new AbortController();
    const first = client.get(Thing, key, { signal: stop.signal });
    const second = client.get(Thing, key);
    stop.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    expect((await second).metadata.name).toBe("a");
  });

  it("returns the reserved slot to the rate limiter", async () => {
    const { server } = await startScripted((exchange) => exchange.json({ metadata: key }));
    const limited = clientOf({ ...server.config, qps: 1, burst: 1 });
    await limited.get(Thing, key);
    const stop = new AbortController();
    const given = Array.from({ length: 50 }, () => limited.get(Thing, key, { signal: stop.signal }));
    stop.abort(new Error("enough"));
    await Promise.allSettled(given);
    // Fifty requests ahead of it would take fifty seconds.
    expect((await limited.get(Thing, key)).metadata.name).toBe("a");
    expect(server.requests).toHaveLength(2);
  });

  it("supports many concurrent calls without a warning", async () => {
    const { server } = await startScripted((exchange) => exchange.json({ metadata: key }));
    const client = clientOf({ ...server.config, qps: 1000, burst: 1 });
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 40 }, () => client.get(Thing, key, { signal })));
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });
});

describe("a connection", () => {
  it.each<[string, (port: number) => Partial<ClientConfig> & { server: string }, string]>([
    ["TLS", (port) => ({ server: `https://127.0.0.1:${port}` }), "connecting timed out (ETIMEDOUT)"],
    ["a proxy", (port) => ({ server: "https://127.0.0.1:1", proxyUrl: `http://127.0.0.1:${port}` }), "it does not respond"], // prettier-ignore
    ["SOCKS5", (port) => ({ server: "https://127.0.0.1:1", proxyUrl: `socks5://127.0.0.1:${port}` }), "it does not respond"], // prettier-ignore
  ])("times out without a response: %s", async (_name, config, message) => {
    const { port } = await startSilentServer();
    const client = clientOf(config(port), 50);
    await expect(client.get(Thing, key)).rejects.toThrow(message);
    const watch = client.watch(Thing)[Symbol.asyncIterator]();
    await expect(watch.next()).rejects.toThrow(message);
  });

  it("times out if the server behind the proxy does not start TLS", async () => {
    const proxy = createServer().on("connect", (_request, socket) => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    });
    const proxyUrl = `http://127.0.0.1:${await listen(proxy)}`;
    const client = clientOf({ server: "https://127.0.0.1:1", proxyUrl }, 1000);
    const watch = client.watch(Thing)[Symbol.asyncIterator]();
    await expect(watch.next()).rejects.toThrow("connecting timed out (ETIMEDOUT)");
  });

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ["an object", (client) => client.update(Thing, { metadata: key })],
    ["a list", (client) => client.list(Thing)],
    ["a watch", (client) => client.watch(Thing)[Symbol.asyncIterator]().next()],
  ])("names the request if it breaks within %s", async (_name, call) => {
    const { client } = await startScripted((exchange) => {
      exchange.text('{"metadata":');
      setImmediate(() => exchange.cut());
    });
    await expect(call(client)).rejects.toMatchObject({ code: "TSOP_SERVER_UNREACHABLE" });
  });
});

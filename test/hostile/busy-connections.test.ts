import { spawn } from "node:child_process";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createAuthority, issueServerCertificate } from "../../src/apimachinery/certificates/issue-certificates.ts";
import type { ServerResponse } from "../../src/apiserver/api-server.ts";
import { createApiServer } from "../../src/apiserver/create-api-server.ts";
import { startHttp } from "../../src/apiserver/http/start-http.ts";
import { startHttpServer } from "../../src/runtime/servers/http-server.ts";

// The client sends its next request as soon as it has the previous response, in a process of its own: it must reach the
// server before the server's process has learned that the response is sent.
const client = `
const { Agent, request } = require("node:https");
const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
const headers = { authorization: "Bearer t" };
const send = () =>
  new Promise((resolve) => {
    const sent = request(process.argv[1], { agent, headers, method: "POST" }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    sent.on("error", (error) => resolve(error.code));
    sent.end(Buffer.alloc(150_000));
  });
(async () => {
  for (let n = 0; n < 100; n++) console.log(await send());
})();
`;

const servers = {
  "the API server": async (signal: AbortSignal) => {
    const intercept = () =>
      new Promise<ServerResponse>((resolve) => inBusyTurn(() => resolve({ status: 200, headers: {}, body: text })));
    const { url } = await startHttp(createApiServer(), { signal, token: "t", intercept });
    return url;
  },
  "the webhook server": async (signal: AbortSignal) => {
    const handler: RequestListener = (request, response) => {
      request.resume().on("end", () => inBusyTurn(() => response.end(text)));
    };
    const now = Date.now();
    const tls = issueServerCertificate(createAuthority(now), ["localhost"], now);
    const server = await startHttpServer({ what: "test", flag: "none", address: "127.0.0.1:0", tls, handler });
    signal.addEventListener("abort", () => void server.close());
    return `https://127.0.0.1:${server.port}`;
  },
};

const text = "x".repeat(100_000);

/** Runs in a turn of the event loop that goes on while the client reads the response and sends the next request. */
function inBusyTurn(respond: () => void): void {
  setImmediate(respond);
  setImmediate(() => {
    for (const end = Date.now() + 5; Date.now() < end;);
  });
}

let stopping: AbortController;
beforeEach(() => void (stopping = new AbortController()));
afterEach(() => stopping.abort());

it.each(Object.entries(servers))("%s keeps a connection whose next request comes early", async (_, start) => {
  const url = await start(stopping.signal);
  const child = spawn(process.execPath, ["-e", client, url], { signal: stopping.signal });
  child.on("error", () => {});
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(child, "close");
  expect(new Set(Buffer.concat(chunks).toString().trim().split("\n"))).toEqual(new Set(["200"]));
});

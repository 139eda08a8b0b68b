import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { connect } from "node:tls";
import { expect, it } from "vitest";
import { issueCertificates } from "../../src/apimachinery/certificates/issue-certificates.ts";
import { createApiServer } from "../../src/apiserver/create-api-server.ts";
import { startHttp } from "../../src/apiserver/http/start-http.ts";
import { describeServers, type Reply } from "./server.ts";

const namespace = "/api/v1/namespaces/default";
const pods = `${namespace}/pods?fieldValidation=Warn`;
const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

describeServers("responses", (server) => {
  it("have 100 warnings of unknown fields", async () => {
    const { status, rawHeaders } = await server.ask("POST", pods, pod("many", unknown(1_000, "")));
    expect(status).toBe(201);
    expect(warnings({ rawHeaders }).length).toBe(100);
  });

  it("have warnings of 256 characters if they are long", async () => {
    const { status, rawHeaders } = await server.ask("POST", pods, pod("long", unknown(8, "x".repeat(3_000))));
    expect(status).toBe(201);
    expect(warnings({ rawHeaders }).map((text) => text.length)).toEqual(Array(8).fill(`299 - "" \\"`.length - 2 + 256));
  });

  // A real server reads all of it.
  it.runIf(server.name === "embedded")("refuse an endless answer of a webhook", async () => {
    const hook = await startEndlessHook();
    const webhook = {
      name: "endless.example.com",
      clientConfig: { url: hook.url, caBundle: hook.caBundle },
      rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["secrets"] }],
      failurePolicy: "Fail",
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      timeoutSeconds: 20,
    };
    const metadata = { name: "endless" };
    expect(await server.ask("POST", configurations, { metadata, webhooks: [webhook] })).toMatchObject({ status: 201 });
    const { status, body } = await server.ask("POST", `${namespace}/secrets`, { metadata });
    expect(status).toBe(500);
    expect(body.message).toContain("the response is longer than 16777216 bytes");
    await server.ask("DELETE", `${configurations}/endless`);
    hook.stop();
  });
});

it.each([
  ["headers", "POST /api/v1/namespaces HTTP/1.1\r\nhost: localhost\r\n"],
  [
    "body",
    "POST /api/v1/namespaces HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\nauthorization: Bearer t\r\n\r\n{",
  ],
])("cuts a request whose %s do not arrive in time", async (_, start) => {
  const stopping = new AbortController();
  const server = createApiServer();
  const http = await startHttp(server, { signal: stopping.signal, token: "t", requestTimeoutMs: 300 });
  const ca = Buffer.from(http.caData, "base64");
  const socket = connect({ host: "127.0.0.1", port: http.port, ca, servername: "localhost" });
  socket.write(start);
  let answer = "";
  for await (const chunk of socket.setEncoding("utf8")) answer += chunk;
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  stopping.abort();
  server.close();
  await http.done;
});

function pod(name: string, fields: object): object {
  return { metadata: { name }, spec: { containers: [{ name: "c", image: "i" }], ...fields } };
}

/** Fields that the server does not know, with names that are as long as in the recorded answers. */
function unknown(count: number, suffix: string): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown${index}${suffix}`, 1]));
}

function warnings({ rawHeaders }: Pick<Reply, "rawHeaders">): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "warning");
}

async function startEndlessHook(): Promise<{ url: string; caBundle: string; stop(): void }> {
  const { ca, server: certificate } = issueCertificates(["127.0.0.1"], Date.now());
  const filler = Buffer.alloc(1 << 20, " ");
  const hook = createServer({ cert: certificate.cert, key: certificate.key }, (_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(filler));
    };
    response.on("drain", more);
    more();
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
  const stop = (): void => {
    hook.close();
    hook.closeAllConnections();
  };
  return { url, caBundle: Buffer.from(ca).toString("base64"), stop };
}

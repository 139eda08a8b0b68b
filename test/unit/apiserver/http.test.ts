import { request } from "node:https";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiServer, type EmbeddedApiServer } from "../../../src/apiserver/create-api-server.ts";
import { startHttp, type RunningServer } from "../../../src/apiserver/http/start-http.ts";

interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

interface Answer {
  readonly status: number;
  readonly body: any;
  readonly warnings: readonly string[];
}

describe("over HTTPS", () => {
  const stopping = new AbortController();
  let server: EmbeddedApiServer;
  let http: RunningServer;
  let ca: string;
  beforeAll(async () => {
    server = createApiServer();
    http = await startHttp(server, { signal: stopping.signal });
    ca = Buffer.from(http.caData, "base64").toString();
  });
  afterAll(async () => {
    stopping.abort();
    server.close();
    await http.done;
  });

  const maps = "/api/v1/namespaces/default/configmaps";

  function ask(path: string, options: Asking = {}, body?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${http.token}`, "content-type": "application/json", ...options.headers };
      const sent = request(
        `${http.url}${path}`,
        { ca, servername: "localhost", agent: false, ...options, headers },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          response.once("end", () => {
            const warnings = [response.headers["warning"] ?? []]
              .flat()
              .map((line) => Buffer.from(line, "latin1").toString());
            resolve({ status: response.statusCode ?? 0, body: text && JSON.parse(text), warnings });
          });
        },
      );
      sent.once("error", reject);
      sent.end(body);
    });
  }

  it("reads each group from a header of its own, as a name may have commas", async () => {
    const headers = { "impersonate-user": "jane", "impersonate-group": ["dev,ops", "qa"] };
    const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const { body } = await ask(path, { method: "POST", headers }, "{}");
    expect(body.status.userInfo.groups).toEqual(["dev,ops", "qa", "system:authenticated"]);
  });

  it.each([
    ["a page of another origin", { origin: "https://evil.example.com" }, 403, "Forbidden"],
    ["a page of another port", { origin: "https://127.0.0.1" }, 403, "Forbidden"],
    ["a page whose host name resolves to the server", { host: "evil.example.com" }, 403, "Forbidden"],
    ["a page of such a host and the right port", { host: "localhost.evil.example.com:6443" }, 403, "Forbidden"],
    ["a wrong token", { authorization: "Bearer wrong" }, 401, "Unauthorized"],
    ["no token", { authorization: "" }, 401, "Unauthorized"],
    ["a password", { authorization: "Basic YTpi" }, 401, "Unauthorized"],
  ])("refuses %s, even to read the version", async (_, headers, status, reason) => {
    for (const path of ["/version", "/api/v1/namespaces", "/healthz", maps]) {
      const refused = await ask(path, { headers });
      expect([path, refused.status, refused.body.reason]).toEqual([path, status, reason]);
    }
    const written = await ask(maps, { headers, method: "POST" }, JSON.stringify({ metadata: { name: "stolen" } }));
    expect(written.status).toBe(status);
    expect((await ask(`${maps}/stolen`)).status).toBe(404);
  });

  it("accepts programs that name the server as their origin", async () => {
    const headers = { origin: http.url };
    expect((await ask("/version", { headers })).status).toBe(200);
    expect((await ask("/version", { headers: { origin: http.url.replace("https:", "http:") } })).status).toBe(403);
  });

  it("responds to the names of its certificate and to IP addresses", async () => {
    for (const host of ["localhost", `localhost:${http.port}`, "127.0.0.1:1", "kubernetes.default.svc:443", "[::1]:1"])
      expect([host, (await ask("/version", { headers: { host } })).status]).toEqual([host, 200]);
  });

  it("warns about a field with any name", async () => {
    const field = "größe 日本\u0007";
    const body = JSON.stringify({ metadata: { name: "strange-field" }, [field]: 1 });
    const { status, warnings } = await ask(`${maps}?fieldValidation=Warn`, { method: "POST" }, body);
    expect([status, warnings]).toEqual([201, [expect.stringContaining("größe 日本")]]);
  });

  it("warns about a deprecated version of a custom resource, in the words of its CRD if there are any", async () => {
    const schema = { openAPIV3Schema: { type: "object" } };
    const version = { served: true, storage: false, schema };
    const names = { plural: "old", kind: "Old" };
    const versions = [
      { ...version, name: "v1", storage: true },
      { ...version, name: "v1beta1", deprecated: true },
      { ...version, name: "v1alpha1", deprecated: true, deprecationWarning: "ask the team" },
    ];
    const spec = { group: "example.com", scope: "Cluster", names, versions };
    const crd = { metadata: { name: "old.example.com" }, spec };
    await ask("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { method: "POST" }, JSON.stringify(crd));
    const warningsOf = async (name: string): Promise<readonly string[]> =>
      (await ask(`/apis/example.com/${name}/old`)).warnings;
    expect(await warningsOf("v1")).toEqual([]);
    expect(await warningsOf("v1beta1")).toEqual([
      '299 - "example.com/v1beta1 Old is deprecated; use example.com/v1 Old"',
    ]);
    expect(await warningsOf("v1alpha1")).toEqual(['299 - "ask the team"']);
  });

  it("refuses a body over 3 MiB and keeps the connection", async () => {
    const body = JSON.stringify({ metadata: { name: "big" }, data: { a: "x".repeat(3 * 1024 * 1024) } });
    const refused = await ask(maps, { method: "POST" }, body);
    expect([refused.status, refused.body.reason]).toEqual([413, "RequestEntityTooLarge"]);
    expect((await ask(`${maps}/big`)).status).toBe(404);
  });

  it("stores nothing of an incomplete body", async () => {
    const socket = connect({ host: "127.0.0.1", port: http.port, ca, servername: "kubernetes" });
    await new Promise((resolve) => socket.once("secureConnect", resolve));
    const head = `POST ${maps} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${http.token}\r\ncontent-length: 1000\r\n\r\n`;
    socket.write(`${head}{"metadata":{"name":"half"}}`);
    await new Promise<void>((resolve) => socket.end(() => resolve()));
    socket.destroy();
    expect((await ask("/version")).status).toBe(200);
    expect((await ask(`${maps}/half`)).status).toBe(404);
  });

  it("adds no listeners while a slow watcher waits", async () => {
    const warnings: string[] = [];
    const warn = (warning: Error): void => void warnings.push(warning.name);
    process.on("warning", warn);
    const socket = connect({ host: "127.0.0.1", port: http.port, ca, servername: "kubernetes" });
    await new Promise((resolve) => socket.once("secureConnect", resolve));
    socket.pause();
    socket.write(`GET ${maps}?watch=true HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${http.token}\r\n\r\n`);
    const data = { a: "x".repeat(100_000) };
    for (let index = 0; index < 60; index++)
      await ask(maps, { method: "POST" }, JSON.stringify({ metadata: { name: `slow-${index}` }, data }));
    let seen = 0;
    await new Promise<void>((resolve) => {
      socket.on("data", (chunk: Buffer) => {
        seen += chunk.toString("latin1").split('{"type":"ADDED"').length - 1;
        if (seen >= 60) resolve();
      });
      socket.resume();
    });
    socket.destroy();
    process.off("warning", warn);
    expect(warnings).toEqual([]);
  });
});

import { request, type IncomingHttpHeaders } from "node:http";
import { networkInterfaces } from "node:os";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Batch, EditResult } from "../../../../src/local/window/contract.ts";
import { startSandbox, type Sandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { openWindow } from "../../../../src/local/window/open-window.ts";
import { Recorder } from "../../../../src/local/window/recorder.ts";
import type { RunningWindow } from "../../../../src/local/window/serve/serve-window.ts";
import { EventReader } from "../../../../src/local/ui/state/read-events.ts";
import { patience } from "../../../patience.ts";

const stop = new AbortController();
let sandbox: Sandbox;
let window: RunningWindow;
let token: string;

beforeAll(async () => {
  const recorder = new Recorder();
  sandbox = await startSandbox(
    {
      simulate: false,
      onAudit: (event) => recorder.audited(event),
      onChange: (resource, event) => recorder.stored(resource, event),
    },
    stop.signal,
  );
  window = await openWindow({ recorder, config: sandbox.config, embedded: true }, stop.signal);
  token = window.url.split("token=")[1]!;
});

afterAll(async () => {
  stop.abort();
  await Promise.all([sandbox.done, window.done]);
});

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request with headers that a browser would not let a page choose. */
function send(path: string, headers: Record<string, string> = {}, body?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const sent = request({ host: "127.0.0.1", port: window.port, path, method, headers }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.once("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

const authorized = () => ({ authorization: `Bearer ${token}` });

describe("the guard", () => {
  it.each(["/api/stream", "/api/object?id=/namespaces%20default", "/api/past?at=1", "/api/nothing"])(
    "answers %s without a token with 401 and nothing else",
    async (path) => {
      for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: `Basic ${token}` }]) {
        const { status, text } = await send(path, headers);
        expect([status, JSON.parse(text)]).toEqual([401, { message: "the token is missing or wrong" }]);
      }
      expect((await send(`${path}${path.includes("?") ? "&" : "?"}token=${token}`)).status).toBe(401);
    },
  );

  it.each([
    ["another host", { host: "evil.example.com" }],
    ["a host that was made to resolve here", { host: "evil.example.com:80" }],
    ["another origin", { origin: "https://evil.example.com" }],
    ["the null origin of a sandboxed frame", { origin: "null" }],
    ["another site", { "sec-fetch-site": "cross-site" }],
  ])("refuses %s, whatever the token, for data and page alike", async (_what, headers: Record<string, string>) => {
    for (const path of ["/", "/api/past?at=1"]) {
      const { status, text } = await send(path, { ...authorized(), ...headers });
      expect(status).toBe(403);
      expect(text).not.toContain("default");
    }
  });

  it("listens on loopback only", async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4");
    for (const { address } of others) {
      const outcome = await new Promise((resolve) => {
        const socket = connect(window.port, address);
        socket.once("connect", () => resolve("connected")).once("error", () => resolve("refused"));
      });
      expect(outcome).toBe("refused");
    }
  });

  it("serves no file but the page's", async () => {
    for (const path of ["/../package.json", "/%2e%2e/package.json", "/app.js/../../package.json", "/index.html"])
      expect((await send(path)).status).toBe(404);
  });

  it("sets a strict policy on every response", async () => {
    for (const path of ["/", "/api/past?at=1", "/nothing"]) {
      const { headers } = await send(path);
      const policy = headers["content-security-policy"];
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }
  });

  it("takes writes only as JSON, with the token", async () => {
    const body = JSON.stringify({ text: "apiVersion: v1", dryRun: false });
    expect((await send("/api/apply", { "content-type": "application/json" }, body)).status).toBe(401);
    expect((await send("/api/apply", { ...authorized(), "content-type": "text/plain" }, body)).status).toBe(400);
  });
});

const post = async (path: string, body: object): Promise<EditResult> => {
  const headers = { ...authorized(), "content-type": "application/json" };
  return JSON.parse((await send(path, headers, JSON.stringify(body))).text) as EditResult;
};

const map = (value: string, more = "") =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: edited\ndata:\n  value: ${value}\n${more}`;

describe("edits", () => {
  it("shows the difference of a dry run, and writes only without it", async () => {
    const tried = await post("/api/apply", { text: map("one"), dryRun: true });
    expect(tried.problems).toEqual([]);
    expect(tried.diff).toContainEqual({ mark: "+", text: "  value: one" });
    const detail = "/api/object?id=/configmaps%20default/edited";
    expect((await send(detail, authorized())).status).toBe(404);
    expect(await post("/api/apply", { text: map("one"), dryRun: false })).toMatchObject({
      object: "/configmaps default/edited",
    });
    const { text } = await send(detail, authorized());
    expect(JSON.parse(text)).toMatchObject({ revisions: [{ by: { manager: "tsop-ui" } }] });
  });

  it.each([
    ["a syntax error", "apiVersion: v1\nkind: [\n", 3, /./],
    ["an unknown field", map("x", "dada: {}\n"), 7, /dada: field not declared/],
    [
      "a refused value in the second document",
      `---\n${map("x")}---\n${map("x").replace("edited", "Ed!")}`,
      12,
      /lowercase/,
    ],
    ["an object without a name", "apiVersion: v1\nkind: Pod\n", 1, /metadata.name/],
    ["a kind that is not served", map("x").replace("ConfigMap", "ConfigMop"), 0, /ConfigMop/],
  ])("reports %s next to its line", async (_what, text, line, message) => {
    const { problems } = await post("/api/apply", { text, dryRun: true });
    expect(problems).toMatchObject([{ line }]);
    expect(problems[0]!.message).toMatch(message);
  });

  it("scales and deletes", async () => {
    const text = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
`;
    await post("/api/apply", { text, dryRun: false });
    const id = "apps/deployments default/web";
    const detail = async () => JSON.parse((await send(`/api/object?id=${encodeURIComponent(id)}`, authorized())).text);
    expect(await detail()).toMatchObject({ replicas: 1 });
    expect((await post("/api/scale", { id, replicas: 4 })).problems).toEqual([]);
    expect(await detail()).toMatchObject({ replicas: 4, yaml: expect.stringContaining("replicas: 4") });
    expect((await post("/api/delete", { id })).problems).toEqual([]);
    expect((await detail()).row.deleted).toBeTypeOf("number");
    expect((await post("/api/delete", { id })).problems[0]!.message).toContain("not found");
  });
});

describe("a read-only page", () => {
  it("refuses every write", async () => {
    const reading = new AbortController();
    const recorder = new Recorder();
    const options = { recorder, config: sandbox.config, embedded: true, readOnly: true };
    const { port, done } = await openWindow(options, reading.signal);
    for (const path of ["apply", "scale", "delete"]) {
      const response = await fetch(`http://127.0.0.1:${port}/api/${path}`, {
        method: "POST",
        headers: { ...authorized(), "content-type": "application/json" },
        body: JSON.stringify({ text: map("x"), id: "/configmaps default/edited", replicas: 1, dryRun: false }),
      });
      expect(response.status).toBe(403);
    }
    reading.abort();
    await done;
  });
});

it("streams the whole state, then what changes", async () => {
  const leaving = new AbortController();
  const { body } = await fetch(`http://127.0.0.1:${window.port}/api/stream`, {
    headers: authorized(),
    signal: leaving.signal,
  });
  const reader = new EventReader();
  const seen: Batch[] = [];
  const names = () => seen.flatMap(({ objects = [] }) => objects.map(({ name }) => name));
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const part of body!)
      for (const { data } of reader.push(decoder.decode(part, { stream: true }))) seen.push(JSON.parse(data) as Batch);
  })().catch(() => {}); // ends with the abort below
  await vi.waitUntil(() => seen.some(({ ready }) => ready), patience);
  expect(seen[0]).toMatchObject({ audits: true, operator: "none", readOnly: false });
  expect(names()).toContain("kube-system");
  await post("/api/apply", { text: map("later").replace("edited", "later"), dryRun: false });
  await vi.waitUntil(() => names().includes("later"), patience);
  leaving.abort();
  await reading;
});

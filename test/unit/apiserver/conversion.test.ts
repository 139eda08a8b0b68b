import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { issueCertificates } from "../../../src/apimachinery/certificates/issue-certificates.ts";
import { defineKind } from "../../../src/apimachinery/kind.ts";
import type { KubeObject } from "../../../src/apimachinery/meta.ts";
import { discardLogger } from "../../../src/runtime/log/logger.ts";
import { hubSpoke, spoke } from "../../../src/runtime/webhook/converter.ts";
import { WebhookServer } from "../../../src/runtime/webhook/webhook-server.ts";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { asker, merge, until, type Asker } from "./ask.ts";

interface V1 extends KubeObject {
  spec?: { host?: string };
}
interface V2 extends KubeObject {
  spec?: { address?: string; extra?: string };
}

const gadget = (version: string) => ({ group: "example.com", version, kind: "Gadget", plural: "gadgets" });
const one = defineKind<V1>(gadget("v1"));
const two = defineKind<V2>(gadget("v2"));
const converter = hubSpoke(one, [
  spoke<V2, V1>(
    two,
    ({ metadata, spec }) => ({ metadata, spec: { host: spec?.address ?? "" } }),
    ({ metadata, spec }) => ({
      metadata: { ...metadata, labels: { ...metadata.labels, from: "v1" } },
      spec: { address: spec?.host ?? "", extra: "not in the schema" },
    }),
  ),
]);

const path = (version: string): string => `/apis/example.com/${version}/namespaces/default/gadgets`;
const made = (version: string, name: string, spec: Record<string, unknown>) => ({
  apiVersion: `example.com/${version}`,
  kind: "Gadget",
  metadata: { name },
  spec,
});
const { ca, server: pair } = issueCertificates(["127.0.0.1"], Date.now());
const caBundle = Buffer.from(ca).toString("base64");
const service = { namespace: "system", name: "hook", path: "/convert" };

async function install(api: Asker, clientConfig: Record<string, unknown>): Promise<void> {
  const version = (name: string, fields: Record<string, unknown>) => ({
    name,
    served: true,
    storage: name === "v1",
    schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: fields } } } },
  });
  const text = { type: "string" };
  const { status } = await api.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "gadgets.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Gadget", plural: "gadgets" },
      scope: "Namespaced",
      conversion: { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } },
      versions: [version("v1", { host: text, color: { ...text, default: "red" } }), version("v2", { address: text })],
    },
  });
  expect(status).toBe(201);
  await until(api, path("v1"), (reply) => reply.status === 200);
}

describe("a conversion webhook of tsop's own", () => {
  let stop: () => Promise<void>;
  let url: string;
  beforeEach(async () => {
    const certDir = mkdtempSync(join(tmpdir(), "tsop-conversion-"));
    writeFileSync(join(certDir, "tls.crt"), pair.cert);
    writeFileSync(join(certDir, "tls.key"), pair.key);
    const parts = { log: discardLogger, clock: manualClock(new Date(0)), metrics: undefined };
    const hook = new WebhookServer({ port: 0, host: "127.0.0.1", certDir }, parts);
    hook.registerConverter(converter);
    await hook.listen();
    const ending = new AbortController();
    const done = hook.start(ending.signal);
    url = `https://127.0.0.1:${hook.port}`;
    stop = async () => {
      ending.abort();
      await done;
      rmSync(certDir, { recursive: true });
    };
  });
  afterEach(() => stop());

  it.each<[string, () => [clientConfig: Record<string, unknown>, api: Asker]]>([
    ["by URL", () => [{ url: `${url}/convert`, caBundle }, asker()]],
    ["by service", () => [{ service, caBundle }, asker({ resolveService: () => ({ url }) })]],
  ])("translates what is written, read, listed and watched, called %s", async (_how, prepare) => {
    const [clientConfig, api] = prepare();
    await install(api, clientConfig);
    const watch = await api.watch(`${path("v2")}?watch=true`);
    const created = await api.ask("POST", path("v2"), made("v2", "a", { address: "h" }));
    expect([created.status, created.body.spec]).toEqual([201, { address: "h" }]);
    const stored = await api.ask("GET", `${path("v1")}/a`);
    expect(stored.body).toMatchObject({ apiVersion: "example.com/v1", metadata: { uid: created.body.metadata.uid } });
    // Read from the storage, the object has the defaults of the stored version.
    expect(stored.body.spec).toEqual({ host: "h", color: "red" });
    await api.ask("PATCH", `${path("v1")}/a`, { spec: { host: "i" } }, merge);
    const patched = await api.ask("PATCH", `${path("v2")}/a`, { spec: { address: "j" } }, merge);
    expect([patched.status, patched.body.metadata.generation, patched.body.spec]).toEqual([200, 3, { address: "j" }]);
    const { body: list } = await api.ask("GET", path("v2"));
    expect(list.items).toMatchObject([{ apiVersion: "example.com/v2", metadata: { labels: { from: "v1" } } }]);
    expect(list.items[0].metadata).toEqual(patched.body.metadata);
    expect((await api.ask("GET", `${path("v2")}?labelSelector=from=v1&limit=1`)).body.items).toHaveLength(1);
    expect((await api.ask("DELETE", `${path("v2")}/a`)).status).toBe(200);
    const events = [await watch.next(), await watch.next(), await watch.next(), await watch.next()];
    expect(events.map(({ type, object }) => [type, object.apiVersion, object.spec.address])).toEqual([
      ["ADDED", "example.com/v2", "h"],
      ["MODIFIED", "example.com/v2", "i"],
      ["MODIFIED", "example.com/v2", "j"],
      ["DELETED", "example.com/v2", "j"],
    ]);
    watch.close();
  });

  it("starts a watch with the current objects, followed by later events in order", async () => {
    const api = asker();
    await install(api, { url: `${url}/convert`, caBundle });
    const add = (name: string) => api.ask("POST", path("v1"), made("v1", name, { host: name }));
    await add("a");
    const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const watch = await api.watch(`${path("v2")}?${query}`);
    await add("b");
    const events = [await watch.next(), await watch.next(), await watch.next()];
    expect(events.map(({ type, object }) => [type, object.spec?.address])).toEqual([
      ["ADDED", "a"],
      ["BOOKMARK", undefined],
      ["ADDED", "b"],
    ]);
    watch.close();
  });
});

describe("a conversion webhook with given responses", () => {
  let answer: (review: any) => unknown;
  let api: Asker;
  let close: () => Promise<void>;
  beforeEach(async () => {
    const hook = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
      void json(request)
        .then(answer)
        .then((said) => {
          if (typeof said === "number") response.statusCode = said;
          response.end(typeof said === "object" ? JSON.stringify(said) : "boom");
        });
    });
    await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
    close = () => new Promise((resolve) => hook.close(() => resolve()));
    api = asker();
    await install(api, { url: `https://127.0.0.1:${(hook.address() as AddressInfo).port}/`, caBundle });
    await api.ask("POST", path("v1"), made("v1", "a", { host: "h" }));
  });
  afterEach(() => close());

  const reply = ({ kind, apiVersion, request }: any, more: Record<string, unknown>) => ({
    kind,
    apiVersion,
    response: { uid: request.uid, result: { status: "Success" }, convertedObjects: [], ...more },
  });
  /** Converts, but for what a test spoils. */
  const spoilt = (spoil: (object: any) => void) => (review: any) => {
    const objects = structuredClone(review.request.objects);
    for (const object of objects) object.apiVersion = review.request.desiredAPIVersion;
    spoil(objects[0]);
    return reply(review, { convertedObjects: objects });
  };

  // As recorded from a real server.
  it.each<[string, (review: any) => unknown]>([
    ["failed: no way", (review) => reply(review, { result: { status: "Failure", message: "no way" } })],
    [
      "failed: response.result.status was 'Failure', not 'Success'",
      (review) => reply(review, { result: { status: "Failure" } }),
    ],
    ["failed: response.result.status was '', not 'Success'", (review) => reply(review, { result: undefined })],
    ["failed: no response provided", (review) => ({ ...review, response: undefined })],
    [
      "failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind=",
      (review) => ({ ...reply(review, {}), kind: undefined }),
    ],
    ['failed: an error on the server ("boom") has prevented the request from succeeding', () => 500],
    ["failed: the server could not find the requested resource", () => 404],
    ["failed: couldn't get version/kind; json parse error: not a JSON object", () => "boom"],
    ["returned 0 objects, expected 1", (review) => reply(review, {})],
    ["returned invalid object: must have the same name: a != zz", spoilt(({ metadata }) => (metadata.name = "zz"))],
    [
      "returned invalid object: must have the same namespace: default != zz",
      spoilt(({ metadata }) => (metadata.namespace = "zz")),
    ],
    ["returned invalid object: must have the same name: a != ", spoilt((object) => delete object.metadata)],
    ["returned invalid object: invalid kind (expected Gadget, received Zz)", spoilt((object) => (object.kind = "Zz"))],
    [
      "returned invalid object: invalid apiVersion (expected example.com/v2, received x/v9)",
      spoilt((object) => (object.apiVersion = "x/v9")),
    ],
    [
      "returned invalid metadata: metadata.labels must be a map of strings",
      spoilt(({ metadata }) => (metadata.labels = { a: 1 })),
    ],
  ])("fails the request: %s", async (message, respond) => {
    answer = respond;
    for (const [method, url] of [
      ["GET", `${path("v2")}/a`],
      ["GET", path("v2")],
      ["DELETE", `${path("v2")}/a`],
    ] as const) {
      const { status, body } = await api.ask(method, url);
      expect([status, body.message]).toEqual([500, `conversion webhook for example.com/v1, Kind=Gadget ${message}`]);
    }
    expect((await api.ask("GET", `${path("v1")}/a`)).body.spec).toEqual({ color: "red", host: "h" });
  });

  it("stores nothing of a create or an update, and ends a watch with an error", async () => {
    answer = spoilt(() => undefined);
    expect((await api.ask("GET", `${path("v2")}/a`)).status).toBe(200);
    answer = (review) => reply(review, { result: { status: "Failure", message: "no way" } });
    const { revision } = api.server.snapshot();
    const refused = await api.ask("POST", path("v2"), made("v2", "b", {}));
    expect([refused.status, refused.body.message]).toEqual([
      500,
      "conversion webhook for example.com/v2, Kind=Gadget failed: no way",
    ]);
    const patched = await api.ask("PATCH", `${path("v2")}/a`, { spec: { address: "x" } }, merge);
    expect([patched.status, api.server.snapshot().revision]).toEqual([500, revision]);
    await api.ask("POST", path("v1"), made("v1", "c", {}));
    const watch = await api.watch(`${path("v2")}?watch=true&resourceVersion=${revision}`);
    expect(await watch.next()).toMatchObject({ type: "ERROR", object: { code: 500 } });
    expect(await watch.next()).toBeUndefined();
  });

  it("lets a patch without a version start over after each of many writes that overtake it", async () => {
    const converted = spoilt(() => undefined);
    let writes = 0;
    answer = async (review) => {
      if (writes < 20)
        await api.ask("PATCH", `${path("v1")}/a`, { metadata: { labels: { writes: `${++writes}` } } }, merge);
      return converted(review);
    };
    const { status, body } = await api.ask(
      "PATCH",
      `${path("v2")}/a`,
      { metadata: { labels: { last: "true" } } },
      merge,
    );
    expect([status, body.metadata.labels]).toEqual([200, { writes: "20", last: "true" }]);
  });

  it("changes labels and annotations only", async () => {
    answer = spoilt(({ metadata }) => Object.assign(metadata, { annotations: { x: "y" }, finalizers: ["a.b/c"] }));
    const { body } = await api.ask("GET", `${path("v2")}/a`);
    expect([body.metadata.annotations, body.metadata.finalizers]).toEqual([{ x: "y" }, undefined]);
    answer = spoilt(({ metadata }) => Object.assign(metadata, { annotations: {}, labels: {} }));
    await api.ask("POST", path("v1"), made("v1", "bare", {}));
    const { metadata } = (await api.ask("GET", `${path("v2")}/bare`)).body;
    expect([metadata.annotations, metadata.labels]).toEqual([undefined, undefined]);
  });
});

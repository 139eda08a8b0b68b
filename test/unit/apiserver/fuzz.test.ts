import { describe, expect, it } from "vitest";
import type { Status } from "../../../src/apimachinery/status.ts";
import { asker } from "./ask.ts";
import { randomFrom } from "./random-from.ts";
import { installWidgets, widget, widgetCrd } from "./widgets.ts";

const deep = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);
const pod = {
  metadata: { name: "a" },
  spec: { containers: [{ name: "c", image: "i", ports: [{ containerPort: 80 }] }] },
};
const template = { metadata: { labels: { app: "a" } }, spec: pod.spec };
const selector = { matchLabels: { app: "a" } };

/** Where to write, and what would be right there. */
const targets: readonly (readonly [url: string, object: unknown])[] = [
  ["/api/v1/namespaces/default/configmaps", { metadata: { name: "a", labels: { a: "b" } }, data: { a: "b" } }],
  ["/api/v1/namespaces/default/pods", pod],
  [
    "/api/v1/namespaces/default/services",
    { metadata: { name: "a" }, spec: { ports: [{ port: 80 }], selector: { app: "a" } } },
  ],
  [
    "/apis/apps/v1/namespaces/default/deployments",
    { metadata: { name: "a" }, spec: { replicas: 1, selector, template } },
  ],
  [
    "/apis/batch/v1/namespaces/default/cronjobs",
    { metadata: { name: "a" }, spec: { schedule: "* * * * *", jobTemplate: { spec: { template } } } },
  ],
  [
    "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    { metadata: { name: "a" }, rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
  ],
  [
    "/apis/coordination.k8s.io/v1/namespaces/default/leases",
    { metadata: { name: "a" }, spec: { holderIdentity: "a", leaseDurationSeconds: 1 } },
  ],
  [
    "/api/v1/namespaces/default/events",
    { metadata: { name: "a" }, involvedObject: { namespace: "default" }, reason: "r" },
  ],
  ["/apis/example.com/v1/namespaces/default/widgets", widget("a", { size: "S", replicas: 2 })],
  ["/apis/apiextensions.k8s.io/v1/customresourcedefinitions", widgetCrd()],
  ["/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", { metadata: { name: "a" }, webhooks: [] }],
];
const paths = ["", "/a", "/a/status", "/a/scale", "/b", "/a/nothing", "/%zz", "//", "/a/eviction", "/a%2Fb"];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "BREW"];
const queries = [
  "",
  "",
  "",
  "?dryRun=All",
  "?dryRun=x",
  "?fieldValidation=Strict",
  "?fieldManager=f&force=true",
  "?limit=-1",
  "?limit=9999999999999999999",
  "?continue=%7B%7D",
  "?continue=e30",
  "?resourceVersion=x",
  "?labelSelector=a%20in%20(",
  "?labelSelector=%00",
  "?fieldSelector=metadata.name%3D",
  "?watch=true&timeoutSeconds=x",
  "?%zz=%",
  "?watch=1&resourceVersion=1&allowWatchBookmarks=maybe",
  "?gracePeriodSeconds=x",
  "?propagationPolicy=Sideways",
];
const types = [
  "application/json",
  "application/json",
  "application/yaml",
  "application/merge-patch+json",
  "application/json-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
  "application/vnd.kubernetes.protobuf",
  "text/plain",
  "",
];
const accepts = [
  "application/json",
  "*/*",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  "text/html",
  ";;;",
];
const oddities: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e300,
  "",
  "a",
  "é\u0000",
  true,
  [],
  {},
  [null],
  [[]],
  { "": null },
  { a: { a: { a: [] } } },
  "x".repeat(70_000),
  "2026-01-01T00:00:00Z",
  "-5",
  "1Gi",
  [{ name: "c" }, { name: "c" }],
  JSON.parse('{"__proto__":{"x":1},"constructor":1}'),
];
const texts = [
  "",
  "{",
  "null",
  "[]",
  '"a"',
  "\u0000",
  '{"a":1e999}',
  '{"metadata":{"name":"a"',
  "a: &a [*a, *a]",
  "- - - -",
  deep(50_000, "[", "]"),
  deep(20_000, '{"a":', "}"),
  "a: &a [x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: [*c,*c,*c,*c]",
  "k8s\u0000\n\u0004\b\u0001",
  "k8s\u0000" + "\u00ff".repeat(40),
  JSON.stringify({
    metadata: {
      name: "a",
      labels: Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`l${i}`, "x".repeat(90)])),
    },
  }),
  '[{"op":"add","path":"/a/b/c","value":1}]',
  '[{"op":"copy","from":"","path":"/spec"}]',
  '[{"op":"remove","path":""}]',
  '[{"op":"replace","path":"/metadata","value":3}]',
  ...["", "/data", "/spec", "/metadata/labels"].map((from) => JSON.stringify(copies(from, 40))),
  JSON.stringify(copies("/metadata", 2_000)),
];

/** Copies of a part into itself, each of which would double it. */
function copies(from: string, count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => ({ op: "copy", from, path: `${from}/c${index}` }));
}

/** A copy in which one value has become something else. */
function spoil(value: unknown, random: () => number): unknown {
  if (typeof value !== "object" || value === null || random() < 0.15) return pick(oddities, random);
  const keys = Object.keys(value);
  if (keys.length === 0) return pick(oddities, random);
  const key = pick(keys, random);
  const copy: any = structuredClone(value);
  copy[key] = spoil(copy[key], random);
  return copy;
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)]!;
}

/** Half of them are right but for the object, so that many come far. */
function randomRequest(random: () => number) {
  const [collection, right] = pick(targets, random);
  const body = random() < 0.1 ? pick(texts, random) : JSON.stringify(random() < 0.2 ? right : spoil(right, random));
  const wild = random() < 0.5;
  const [method, path, type] = wild
    ? [pick(methods, random), pick(paths, random), pick(types, random)]
    : pick(likely, random);
  const url = collection + path + (wild ? pick(queries, random) : "");
  const headers = { "content-type": type, accept: wild ? pick(accepts, random) : "application/json" };
  return { method, url, headers, body };
}

const likely = [
  ["POST", "", "application/json"],
  ["POST", "", "application/yaml"],
  ["PATCH", "/a", "application/merge-patch+json"],
  ["PATCH", "/a", "application/strategic-merge-patch+json"],
  ["PATCH", "/a?fieldManager=f&force=true", "application/apply-patch+yaml"],
  ["PATCH", "/a", "application/json-patch+json"],
  ["PATCH", "/a/status", "application/merge-patch+json"],
  ["PUT", "/a", "application/json"],
  ["PUT", "/a/status", "application/json"],
  ["DELETE", "/a", "application/json"],
] as const;

/** What a client can read: a Status, or the plain 404 of a path that names nothing. */
function isRefusal(status: number, body: string): boolean {
  if (body === "404 page not found\n") return status === 404;
  const { kind, code, message } = JSON.parse(body) as Status;
  return kind === "Status" && code === status && typeof message === "string" && message !== "";
}

describe("whatever is sent", () => {
  it.each([7, 8])("gets a response, and is stored completely or not at all (seed %i)", async (seed) => {
    const random = randomFrom(seed);
    const clock = { now: () => 0, after: () => () => undefined };
    const api = asker({ clock, random });
    await installWidgets(api);
    const user = { username: "u", groups: [] };
    const answered = new Set<number>();
    for (let left = 600; left > 0; left--) {
      const { body, ...rest } = randomRequest(random);
      const gone = new AbortController();
      // The server's own controllers act on the last request a few turns of the event loop later.
      for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate);
      const { revision } = api.server.snapshot();
      const request = { ...rest, body: Buffer.from(body, "latin1"), user, signal: gone.signal };
      const reply = await api.server.handle(request);
      gone.abort();
      answered.add(reply.status);
      if (reply.status < 400) continue;
      const text = reply.body as string;
      const what = `${rest.method} ${rest.url} ${rest.headers["content-type"]} ${body.slice(0, 400)}: ${text}`;
      expect(isRefusal(reply.status, text), what).toBe(true);
      expect(text, what).not.toContain('"InternalError"');
      // What was done can't always be shown as the client wants it.
      if (reply.status !== 406) expect(api.server.snapshot().revision, what).toBe(revision);
    }
    expect([...answered]).toEqual(expect.arrayContaining([200, 201, 400, 404, 405, 406, 415, 422]));
    const after = { metadata: { name: "after" } };
    expect((await api.ask("POST", "/api/v1/namespaces/default/configmaps", after)).status).toBe(201);
  });
});

import { expect, it } from "vitest";
import type { AuditEvent } from "../../../src/apiserver/audit/audit-event.ts";
import { judgeAlways } from "../../../src/check/oracles/judge-run.ts";
import { encodeProtobuf } from "../../../src/apiserver/codec/protobuf/encode-protobuf.ts";
import { Traffic } from "../../../src/check/world/traffic.ts";
import { emptyRecord } from "./empty-record.ts";

const { signal } = new AbortController();
const user = { username: "robot", groups: [] };
const event = {
  id: "1",
  request: { method: "GET", url: "/api/v1/configmaps", headers: {}, body: new Uint8Array(), user, signal },
  response: { status: 200, headers: {}, body: "" },
  user,
  verb: "list",
  target: undefined,
  received: 0,
  answered: 0,
  changes: [],
  webhookCalls: [],
} satisfies AuditEvent;

it("records the message of a rejection in protobuf, which Go clients request", () => {
  const traffic = new Traffic({ neighbours: [], operator: "robot", now: () => 0 });
  const message = 'pods "a" is invalid: spec: Forbidden';
  const status = { kind: "Status", apiVersion: "v1", message, code: 422 };
  const response = { status: 422, headers: {}, body: encodeProtobuf(status), binary: true } as const;
  traffic.record({ ...event, verb: "update", response });
  expect(traffic.requests.map((request) => request.message)).toEqual([message]);
});

it("records the message of a rejection in readable form", () => {
  const traffic = new Traffic({ neighbours: [], operator: "robot", now: () => 0 });
  const message = 'configmaps is forbidden: User "robot" cannot list resource "configmaps"';
  const body = JSON.stringify({ kind: "Status", message, code: 403 });
  traffic.record({ ...event, response: { status: 403, headers: {}, body } });
  const [violation] = judgeAlways({ ...emptyRecord, requests: traffic.requests });
  expect(violation).toMatchObject({
    about: 'cannot list resource "configmaps"',
    sentence: `The operator's role does not allow a request: ${message}.`,
  });
});

it.each([
  [
    { spec: {} },
    { spec: { type: "ClusterIP" } },
    'the object that is sent has no spec.type, which the server sets to "ClusterIP"',
  ],
  [
    { spec: { limits: [{ cpu: "2000m" }] } },
    { spec: { limits: [{ cpu: "2" }] } },
    'the object that is sent has spec.limits.0.cpu = "2000m", which the server stores as "2"',
  ],
  [{ stringData: { a: "b" }, data: { a: "Yg==" } }, { data: { a: "Yg==" } }, "the server does not store stringData"],
  [{ spec: { paused: false }, status: { old: 1 } }, { spec: {}, status: { old: 2 } }, undefined],
])("explains why an update of %j changes nothing", (sent, stored, hint) => {
  const traffic = new Traffic({ neighbours: [], operator: "robot", now: () => 0 });
  const url = "/api/v1/namespaces/default/services/a";
  for (let count = 0; count < 5; count++) {
    const request = { method: "PUT", url, headers: {}, body: Buffer.from(JSON.stringify(sent)), user, signal };
    void traffic.intercept(request, () => Promise.resolve({ status: 200, headers: {}, body: "" }));
    const response = { status: 200, headers: {}, body: JSON.stringify(stored) };
    traffic.record({ ...event, request, response, verb: "update" });
  }
  const [violation] = judgeAlways({ ...emptyRecord, requests: traffic.requests });
  expect(violation?.oracle).toBe("no-op-writes");
  expect(violation?.hint).toBe(hint);
});

it.each([
  { what: "an event", of: { group: "events.k8s.io", resource: "events" }, kept: [] },
  { what: "a refused event", of: { group: "events.k8s.io", resource: "events" }, status: 403, kept: [403] },
  { what: "a review", of: { group: "authorization.k8s.io", resource: "selfsubjectaccessreviews" }, kept: [] },
  { what: "a token", of: { group: "", resource: "serviceaccounts", subresource: "token" }, kept: [] },
  { what: "a dry run", of: { group: "", resource: "secrets" }, query: "?dryRun=All", kept: [] },
  { what: "a write", of: { group: "", resource: "secrets" }, kept: [201] },
])("keeps from the creation of $what only what concerns the operator", (row) => {
  const { of, query = "", status = 201, kept } = row;
  const traffic = new Traffic({ neighbours: [], operator: "robot", now: () => 0 });
  const target = { version: "v1", subresource: undefined, namespace: "default", name: undefined, ...of };
  const request = { ...event.request, method: "POST", url: `/a${query}` };
  traffic.record({ ...event, request, verb: "create", target, response: { ...event.response, status } });
  expect(traffic.requests.map((recorded) => recorded.status)).toEqual(kept);
});

it("keeps the last state of an object, whoever has changed it", () => {
  const traffic = new Traffic({ neighbours: [], operator: "robot", now: () => 7 });
  const at = (resourceVersion: string) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", resourceVersion },
  });
  const versions = (): unknown[] => [...traffic.objects].map(([id, { metadata }]) => [id, metadata.resourceVersion]);
  const change = { key: "default/a", previous: undefined };
  traffic.follow("/configmaps", { ...change, revision: 5, type: "ADDED", object: at("5") });
  expect(versions()).toEqual([["/configmaps default/a", "5"]]);
  expect([traffic.revision, traffic.lastChange]).toEqual(["5", 7]);
  traffic.follow("/configmaps", { ...change, revision: 6, type: "DELETED", object: at("6") });
  expect([...versions(), traffic.revision]).toEqual(["5"]);
});

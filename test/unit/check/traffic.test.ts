import { expect, it } from "vitest";
import { judgeAlways } from "../../../src/check/oracles/judge-run.ts";
import { Traffic } from "../../../src/check/world/traffic.ts";
import { emptyRecord } from "./empty-record.ts";

const user = { username: "robot", groups: [] };
const { signal } = new AbortController();
const answered = { id: "1", user, received: 0, answered: 0, changes: [], webhookCalls: [], annotations: {} };

it("records the message of a refusal as people read it", () => {
  const traffic = new Traffic({ operator: "robot", now: () => 0 });
  const message = 'configmaps is forbidden: User "robot" cannot list resource "configmaps"';
  traffic.record({
    ...answered,
    request: { method: "GET", url: "/api/v1/configmaps", headers: {}, body: new Uint8Array(), user, signal },
    response: { status: 403, headers: {}, body: JSON.stringify({ kind: "Status", message, code: 403 }) },
    verb: "list",
    target: undefined,
  });
  const [violation] = judgeAlways({ ...emptyRecord, requests: traffic.requests });
  expect(violation).toMatchObject({
    about: message,
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
])("tells why an update of %j changes nothing", (sent, stored, hint) => {
  const traffic = new Traffic({ operator: "robot", now: () => 0 });
  const url = "/api/v1/namespaces/default/services/a";
  for (let count = 0; count < 5; count++) {
    const request = { method: "PUT", url, headers: {}, body: Buffer.from(JSON.stringify(sent)), user, signal };
    void traffic.intercept(request, () => Promise.resolve({ status: 200, headers: {}, body: "" }));
    const response = { status: 200, headers: {}, body: JSON.stringify(stored) };
    traffic.record({ ...answered, request, response, verb: "update", target: undefined });
  }
  const [violation] = judgeAlways({ ...emptyRecord, requests: traffic.requests });
  expect(violation?.oracle).toBe("no-op-writes");
  expect(violation?.hint).toBe(hint);
});

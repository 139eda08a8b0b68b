import { expect, it } from "vitest";
import { judgeAlways } from "../../../src/check/oracles/judge-run.ts";
import { Traffic } from "../../../src/check/world/traffic.ts";
import { emptyRecord } from "./empty-record.ts";

it("records the message of a refusal as people read it", () => {
  const traffic = new Traffic({ operator: "robot", now: () => 0 });
  const message = 'configmaps is forbidden: User "robot" cannot list resource "configmaps"';
  const user = { username: "robot", groups: [] };
  const { signal } = new AbortController();
  traffic.record({
    id: "1",
    request: { method: "GET", url: "/api/v1/configmaps", headers: {}, body: new Uint8Array(), user, signal },
    response: { status: 403, headers: {}, body: JSON.stringify({ kind: "Status", message, code: 403 }) },
    user,
    verb: "list",
    target: undefined,
    received: 0,
    answered: 0,
    changes: [],
    webhookCalls: [],
    annotations: {},
  });
  const [violation] = judgeAlways({ ...emptyRecord, requests: traffic.requests });
  expect(violation).toMatchObject({
    about: message,
    sentence: `The operator's role does not allow a request: ${message}.`,
  });
});

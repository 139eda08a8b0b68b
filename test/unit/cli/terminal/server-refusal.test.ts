import { expect, it } from "vitest";
import { ApiError } from "../../../../src/apimachinery/status.ts";
import { serverRefusal } from "../../../../src/cli/terminal/server-refusal.ts";

it.each([
  ['pods is forbidden: User "a" cannot list resource "pods" in API group "" in the namespace "b"', "choose a user"],
  ['pods "a" is forbidden: exceeded quota: b, requested: pods=1, used: pods=2, limited: pods=2', "change the object"],
])("advises another user only if the user lacks a right: %s", (message, advice) => {
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason: "Forbidden" } as const;
  expect(serverRefusal(new ApiError({ ...status, message, code: 403 })).hint).toContain(advice);
});

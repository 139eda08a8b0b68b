import { describe, expect, it } from "vitest";
import { resourceFor } from "../../../../src/apiserver/admission/match-rules.ts";
import type { AdmissionAttributes } from "../../../../src/apiserver/admission/admission-attributes.ts";
import type { WebhookRule } from "../../../../src/apiserver/call-webhook.ts";

const rule = { operations: ["CREATE"], apiGroups: ["example.com"], apiVersions: ["v1"], resources: ["caches"] };

/** Reports whether a rule selects the creation of a cache `a`, or of a part of it. */
function selects(more: Partial<WebhookRule>, namespaced = true, subresource?: string): boolean {
  const resource = { group: "example.com", version: "v1", plural: "caches", namespaced };
  const write = { resource, subresource, operation: "CREATE", name: "a", equivalents: [] };
  const attributes = write as unknown as AdmissionAttributes;
  return resourceFor({ rules: [{ ...rule, ...more }], matchPolicy: "Exact" }, attributes) !== undefined;
}

describe("a rule of a webhook", () => {
  it.each<[WebhookRule["scope"], boolean, boolean]>([
    [undefined, true, true],
    ["*", true, true],
    ["Namespaced", true, false],
    ["Cluster", false, true],
  ])("with the scope %s selects an object in a namespace: %s, and one of the cluster: %s", (scope, inside, outside) => {
    const scoped = scope === undefined ? {} : { scope };
    expect([selects(scoped, true), selects(scoped, false)]).toEqual([inside, outside]);
  });

  it.each<[string, "selects" | "ignores", Partial<WebhookRule>]>([
    ["another operation", "ignores", { operations: ["UPDATE"] }],
    ["any operation", "selects", { operations: ["*"] }],
    ["another group", "ignores", { apiGroups: [""] }],
    ["another version", "ignores", { apiVersions: ["v2"] }],
    ["another resource", "ignores", { resources: ["queues"] }],
    ["any resource", "selects", { resources: ["*"] }],
    ["the parts of a resource", "selects", { resources: ["caches/*"] }],
    ["no name", "selects", { resourceNames: [] }],
    ["its name", "selects", { resourceNames: ["a"] }],
    ["another name", "ignores", { resourceNames: ["b"] }],
  ])("with %s %s the creation of an object", (_, verb, more) => {
    expect(selects(more) ? "selects" : "ignores").toBe(verb);
  });

  it.each([
    ["caches", false],
    ["*", false],
    ["caches/scale", false],
    ["caches/status", true],
    ["*/status", true],
    ["caches/*", true],
    ["*/*", true],
    ["queues/status", false],
  ])("for %s selects a status: %s", (pattern, expected) => {
    expect(selects({ resources: [pattern] }, true, "status")).toBe(expected);
  });
});

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

  it.each<[string, Partial<WebhookRule>, boolean]>([
    ["another operation", { operations: ["UPDATE"] }, false],
    ["any operation", { operations: ["*"] }, true],
    ["another group", { apiGroups: [""] }, false],
    ["another version", { apiVersions: ["v2"] }, false],
    ["another resource", { resources: ["queues"] }, false],
    ["any resource", { resources: ["*"] }, true],
    ["the parts of a resource", { resources: ["caches/*"] }, true],
    ["no name", { resourceNames: [] }, true],
    ["its name", { resourceNames: ["a"] }, true],
    ["another name", { resourceNames: ["b"] }, false],
  ])("with %s selects a write: %#", (_, more, expected) => {
    expect(selects(more)).toBe(expected);
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

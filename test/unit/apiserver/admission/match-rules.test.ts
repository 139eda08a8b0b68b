import { expect, it } from "vitest";
import { resourceFor } from "../../../../src/apiserver/admission/match-rules.ts";
import type { AdmissionAttributes } from "../../../../src/apiserver/admission/admission-attributes.ts";
import type { RuleWithOperations as WebhookRule } from "../../../../src/k8s/admissionregistration/v1.ts";

const rule: WebhookRule = {
  operations: ["CREATE"],
  apiGroups: ["example.com"],
  apiVersions: ["v1"],
  resources: ["caches"],
};

/** Reports whether a rule selects the creation of a cache. */
function selects(more: Partial<WebhookRule>, namespaced: boolean): boolean {
  const resource = { group: "example.com", version: "v1", plural: "caches", namespaced };
  const write = { resource, operation: "CREATE", name: "a", equivalents: [] };
  const attributes = write as unknown as AdmissionAttributes;
  return resourceFor({ rules: [{ ...rule, ...more }], matchPolicy: "Exact" }, attributes) !== undefined;
}

it.each<[WebhookRule["scope"], boolean, boolean]>([
  [undefined, true, true],
  ["*", true, true],
  ["Namespaced", true, false],
  ["Cluster", false, true],
])(
  "a rule of a webhook with the scope %s selects an object in a namespace: %s, and one of the cluster: %s",
  (scope, inside, outside) => {
    const scoped = scope === undefined ? {} : { scope };
    expect([selects(scoped, true), selects(scoped, false)]).toEqual([inside, outside]);
  },
);

import { expect, it } from "vitest";
import { BundleHints } from "../../../../src/local/bundle/bundle-hints.ts";

const csv = { apiVersion: "operators.coreos.com/v1alpha1", kind: "ClusterServiceVersion" };
const metadata = { uid: "1", name: "thing.v1", namespace: "things", resourceVersion: "1" };
const action = (username: string) => ({
  user: { username, groups: [] },
  verb: "list",
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "",
  namespace: "things",
  name: "",
});
const event = (type: "ADDED" | "MODIFIED" | "DELETED", more: object = {}) => ({
  type,
  revision: 1,
  key: "things/thing.v1",
  object: { ...csv, metadata: { ...metadata, ...more } },
  previous: undefined,
});

it("names the missing rule while the bundle is installed, and its removal from then on", () => {
  const hints = new BundleHints();
  const explain = (): string | undefined => hints.explain(action("system:serviceaccount:things:manager"));
  const resource = "operators.coreos.com/clusterserviceversions";
  hints.onChange(resource, event("ADDED"));
  expect(explain()).toContain('+kubebuilder:rbac:groups="",resources=pods,verbs=get;list;watch');
  hints.onChange(resource, event("MODIFIED", { deletionTimestamp: "2026-01-01T00:00:00Z" }));
  expect(explain()).toBe("the operator is being removed: the permissions of its bundle go before its pod");
  hints.onChange(resource, event("ADDED", { uid: "2" }));
  expect(explain()).toContain("+kubebuilder:rbac");
  hints.onChange(resource, event("DELETED", { uid: "2" }));
  expect(explain()).toContain("being removed");
  expect(hints.explain(action("jane"))).toBeUndefined();
});

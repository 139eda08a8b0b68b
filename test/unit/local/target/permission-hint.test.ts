import { expect, it } from "vitest";
import { permissionHint } from "../../../../src/local/target/permission-hint.ts";

const user = { username: "system:serviceaccount:demo-system:controller-manager", groups: [] };

it.each([
  ["", "events", "create", 'groups="",resources=events,verbs=create;patch'],
  ["events.k8s.io", "events", "patch", "groups=events.k8s.io,resources=events,verbs=create;patch"],
  ["apps", "deployments", "watch", "groups=apps,resources=deployments,verbs=get;list;watch"],
  ["apps", "deployments", "create", "groups=apps,resources=deployments,verbs=create"],
])("names the marker for group %j, %s, %s", (group, resource, verb, rule) => {
  const hint = permissionHint({ user, group, resource, subresource: "", name: "", namespace: "default", verb });
  expect(hint).toBe(`add to your controller: // +kubebuilder:rbac:${rule}`);
});

it("says nothing to people", () => {
  const action = { group: "", resource: "pods", subresource: "", name: "", namespace: "", verb: "list" };
  expect(permissionHint({ user: { username: "jane", groups: [] }, ...action })).toBeUndefined();
});

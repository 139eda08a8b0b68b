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

it.each([
  ['RBAC: clusterrole.rbac.authorization.k8s.io "manger-role" not found', "ClusterRole manger-role"],
  [
    'RBAC: [role.rbac.authorization.k8s.io "leader" not found, role.rbac.authorization.k8s.io "b" not found]',
    "Role leader",
  ],
])("names the role that a binding lacks: %s", (reason, role) => {
  const action = { user, group: "apps", resource: "deployments", namespace: "", verb: "list" };
  expect(permissionHint(action, reason)).toBe(`a binding names the ${role}, which config/rbac does not define`);
});

it("gives no hint to human users", () => {
  const action = { group: "", resource: "pods", subresource: "", name: "", namespace: "", verb: "list" };
  expect(permissionHint({ user: { username: "jane", groups: [] }, ...action })).toBeUndefined();
});

import { formatRbac } from "../../codegen/markers/package.ts";
import type { ForbiddenAction } from "../../sandbox/start-sandbox.ts";

/**
 * Returns the role or the marker that is missing if the operator is refused; undefined for other users. The reason is
 * the server's.
 */
export function permissionHint(action: ForbiddenAction, reason = ""): string | undefined {
  if (!action.user.username.startsWith("system:serviceaccount:")) return undefined;
  const [, cluster, name] = missingRole.exec(reason) ?? [];
  if (name) return `a binding names the ${cluster ? "ClusterRole" : "Role"} ${name}, which config/rbac does not define`;
  return `add to your controller: // ${"path" in action ? pathRule(action) : resourceRule(action)}`;
}

/** `RBAC: clusterrole.rbac.authorization.k8s.io "manager-role" not found` */
const missingRole = /\b(cluster)?role\.rbac\.authorization\.k8s\.io "([^"]+)" not found/;

function pathRule({ path, verb }: Extract<ForbiddenAction, { path: string }>): string {
  return `+kubebuilder:rbac:urls=${path},verbs=${verb}`;
}

function resourceRule({ group, resource, subresource, verb }: Extract<ForbiddenAction, { group: string }>): string {
  // An informer needs all three verbs, and a recorder also counts repeated events.
  const isEvent = resource === "events" && (verb === "create" || verb === "patch");
  const verbs = verb === "list" || verb === "watch" ? "get;list;watch" : isEvent ? "create;patch" : verb;
  return formatRbac({ group, resource: subresource ? `${resource}/${subresource}` : resource, verbs: [verbs] });
}

import type { ForbiddenAction } from "../../sandbox/start-sandbox.ts";

/** Returns the marker that a controller lacks if the operator is refused; undefined for other users. */
export function permissionHint(action: ForbiddenAction): string | undefined {
  if (!action.user.username.startsWith("system:serviceaccount:")) return undefined;
  return `add to your controller: // +kubebuilder:rbac:${"path" in action ? pathRule(action) : resourceRule(action)}`;
}

function pathRule({ path, verb }: Extract<ForbiddenAction, { path: string }>): string {
  return `urls=${path},verbs=${verb}`;
}

function resourceRule({ group, resource, subresource, verb }: Extract<ForbiddenAction, { group: string }>): string {
  // An informer needs all three verbs, and a recorder also counts repeated events.
  const isEvent = resource === "events" && (verb === "create" || verb === "patch");
  const verbs = verb === "list" || verb === "watch" ? "get;list;watch" : isEvent ? "create;patch" : verb;
  return `groups=${group || '""'},resources=${subresource ? `${resource}/${subresource}` : resource},verbs=${verbs}`;
}

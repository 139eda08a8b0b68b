import type { ForbiddenAction } from "../../sandbox/start-sandbox.ts";

/** Names the marker that a controller lacks when the operator is refused; nothing for other users. */
export function permissionHint(action: ForbiddenAction): string | undefined {
  if (!action.user.username.startsWith("system:serviceaccount:")) return undefined;
  return `add to your controller: // +kubebuilder:rbac:${"path" in action ? pathRule(action) : resourceRule(action)}`;
}

function pathRule({ path, verb }: Extract<ForbiddenAction, { path: string }>): string {
  return `urls=${path},verbs=${verb}`;
}

function resourceRule({ group, resource, subresource, verb }: Extract<ForbiddenAction, { group: string }>): string {
  // An informer needs all three: with one of them only, the next refusal is sure.
  const verbs = verb === "list" || verb === "watch" ? "get;list;watch" : verb;
  return `groups=${group || '""'},resources=${subresource ? `${resource}/${subresource}` : resource},verbs=${verbs}`;
}

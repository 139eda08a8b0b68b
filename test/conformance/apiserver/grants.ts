import type { RequestStep } from "./scenario.ts";
import { POST } from "./requests.ts";

export const api = "rbac.authorization.k8s.io";
export const rbac: string = `/apis/${api}/v1`;
export const reviews = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export const resourceRule = (
  apiGroups: string[],
  resources: string[],
  verbs: string[],
  resourceNames?: string[],
): Rule => ({
  apiGroups,
  resources,
  verbs,
  ...(resourceNames && { resourceNames }),
});
export const urlRule = (nonResourceURLs: string[], verbs: string[]): Rule => ({ nonResourceURLs, verbs });

/** Names that are unique in the cluster, as the roles of these scenarios are not in a namespace. */
export const named = (name: string): string => `{ns}-${name}`;

export function clusterRole(name: string, rules: readonly Rule[]): RequestStep {
  return POST(`${rbac}/clusterroles`, { metadata: { name: named(name) }, rules }, { unrecorded: true });
}

export interface Binding {
  readonly name: string;
  readonly role?: string;
  readonly kind?: "ClusterRole" | "Role";
  readonly subject: object;
}

export const user = (name: string): object => ({ kind: "User", apiGroup: api, name: named(name) });

export function bodyOf({ name, role = name, kind = "ClusterRole", subject }: Binding): object {
  return {
    metadata: { name: named(name) },
    roleRef: { apiGroup: api, kind, name: named(role) },
    subjects: [subject],
  };
}

export const bindCluster = (binding: Binding): RequestStep =>
  POST(`${rbac}/clusterrolebindings`, bodyOf(binding), { unrecorded: true });
export const bindHere = (binding: Binding): RequestStep =>
  POST(`${rbac}/namespaces/{ns}/rolebindings`, bodyOf(binding), { unrecorded: true });

export function review(name: string, attributes: object, groups: readonly string[] = []): RequestStep {
  const field = "path" in attributes ? "nonResourceAttributes" : "resourceAttributes";
  return POST(
    reviews,
    { spec: { user: named(name), groups, [field]: attributes } },
    { pick: ({ status }) => [name, attributes, status] },
  );
}

/** A server learns of roles and bindings a moment later; the last binding is known when this review allows. */
export function awaitGrant(name: string, attributes: object): RequestStep {
  return { ...review(name, attributes), until: ({ status }) => status.allowed, unrecorded: true };
}

export const as = (name: string): Record<string, string> => ({ "impersonate-user": named(name) });

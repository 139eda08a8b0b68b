import { merge, type RequestStep, type Scenario } from "../../scenario.ts";
import { maps } from "../../steps.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}";
const reviews = "/apis/authorization.k8s.io/v1";
const as = (user: string): Record<string, string> => ({ "impersonate-user": user });
const role = (name: string, resources: string[], verbs: string[]) => ({
  metadata: { name },
  rules: [{ apiGroups: ["", "rbac.authorization.k8s.io"], resources, verbs }],
});
const bind = (name: string, user: string): RequestStep => ({
  request: `POST ${rbac}/rolebindings`,
  body: {
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
    subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: user }],
  },
  unrecorded: true,
});
const review = (resourceAttributes: Record<string, string>, user?: string): RequestStep => ({
  request: user ? `POST ${reviews}/subjectaccessreviews` : `POST ${reviews}/selfsubjectaccessreviews`,
  body: { spec: { resourceAttributes: { namespace: "{ns}", ...resourceAttributes }, ...(user && { user }) } },
});

export const scenarios: readonly Scenario[] = [
  {
    name: "access",
    steps: [
      { request: `GET ${maps}`, headers: as("jane") },
      { request: `GET ${maps}/a`, headers: as("jane") },
      { request: `POST ${maps}`, headers: as("jane"), body: { metadata: { name: "a" } } },
      { request: `GET /api/v1/configmaps`, headers: as("jane") },
      { request: `GET /api/v1/nodes/n`, headers: as("jane") },
      { request: `PATCH ${maps}/a/status`, headers: { ...merge, ...as("jane") }, body: {} },
      { request: `GET /apis/apps/v1/namespaces/{ns}/deployments/d/scale`, headers: as("jane") },
      { request: `DELETE /apis/apps/v1/namespaces/{ns}/deployments`, headers: as("system:serviceaccount:{ns}:robot") },
      { request: `GET /nothing`, headers: as("jane") },
      { request: `POST ${rbac}/roles`, body: role("reader", ["configmaps"], ["get", "list"]), unrecorded: true },
      bind("reader", "jane"),
      { request: `GET ${maps}`, headers: as("jane"), until: (_, status) => status === 200 },
      { request: `GET ${maps}?watch=true`, headers: as("jane") },
      review({ verb: "get", resource: "configmaps" }, "jane"),
      review({ verb: "delete", resource: "configmaps" }, "jane"),
      { ...review({ verb: "list", resource: "configmaps" }), headers: as("jane") },
      { ...review({ verb: "list", resource: "secrets", group: "" }), headers: as("jane") },
      {
        request: `POST ${reviews}/selfsubjectrulesreviews`,
        headers: as("jane"),
        body: { spec: { namespace: "{ns}" } },
        pick: ({ status }) => status.resourceRules.filter((rule: any) => rule.resources.includes("configmaps")),
      },
      { request: `POST ${reviews}/subjectaccessreviews`, body: { spec: {} } },
      { request: `POST ${reviews}/selfsubjectaccessreviews`, body: { spec: {} } },
    ],
  },
  {
    name: "escalation",
    steps: [
      {
        request: `POST ${rbac}/roles`,
        body: role("maker", ["roles", "rolebindings"], ["create", "update", "patch"]),
        unrecorded: true,
      },
      bind("maker", "joe"),
      {
        request: `POST ${rbac}/roles`,
        headers: as("joe"),
        body: role("more", ["secrets"], ["get"]),
        until: (body) => !String(body.message).includes('cannot create resource "roles"'),
      },
      { request: `POST ${rbac}/roles`, headers: as("joe"), body: role("same", ["roles"], ["create"]) },
      {
        request: `POST ${rbac}/rolebindings`,
        headers: as("joe"),
        body: {
          metadata: { name: "admin" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
          subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "joe" }],
        },
      },
    ],
  },
];

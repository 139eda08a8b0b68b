import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { maps } from "../../steps.ts";
import { DELETE, GET, PATCH, POST } from "../../requests.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}";
const reviews = "/apis/authorization.k8s.io/v1";
const as = (user: string): Record<string, string> => ({ "impersonate-user": user });
const role = (name: string, resources: string[], verbs: string[]) => ({
  metadata: { name },
  rules: [{ apiGroups: ["", "rbac.authorization.k8s.io"], resources, verbs }],
});
const bind = (name: string, user: string): RequestStep =>
  POST(
    `${rbac}/rolebindings`,
    {
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
      subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: user }],
    },
    { unrecorded: true },
  );
const review = (resourceAttributes: Record<string, string>, user?: string): RequestStep => ({
  request: user ? `POST ${reviews}/subjectaccessreviews` : `POST ${reviews}/selfsubjectaccessreviews`,
  body: { spec: { resourceAttributes: { namespace: "{ns}", ...resourceAttributes }, ...(user && { user }) } },
});

export const scenarios: Scenarios = {
  access: [
    GET(maps, { headers: as("jane") }),
    GET(`${maps}/a`, { headers: as("jane") }),
    POST(maps, { metadata: { name: "a" } }, { headers: as("jane") }),
    GET("/api/v1/configmaps", { headers: as("jane") }),
    GET("/api/v1/nodes/n", { headers: as("jane") }),
    PATCH(`${maps}/a/status`, { ...merge, ...as("jane") }, {}),
    GET("/apis/apps/v1/namespaces/{ns}/deployments/d/scale", { headers: as("jane") }),
    DELETE("/apis/apps/v1/namespaces/{ns}/deployments", { headers: as("system:serviceaccount:{ns}:robot") }),
    GET("/nothing", { headers: as("jane") }),
    POST(`${rbac}/roles`, role("reader", ["configmaps"], ["get", "list"]), { unrecorded: true }),
    bind("reader", "jane"),
    GET(maps, { headers: as("jane"), until: (_, status) => status === 200 }),
    GET(`${maps}?watch=true`, { headers: as("jane") }),
    review({ verb: "get", resource: "configmaps" }, "jane"),
    review({ verb: "delete", resource: "configmaps" }, "jane"),
    { ...review({ verb: "list", resource: "configmaps" }), headers: as("jane") },
    { ...review({ verb: "list", resource: "secrets", group: "" }), headers: as("jane") },
    POST(
      `${reviews}/selfsubjectrulesreviews`,
      { spec: { namespace: "{ns}" } },
      {
        headers: as("jane"),
        pick: ({ status }) => status.resourceRules.filter((rule: any) => rule.resources.includes("configmaps")),
      },
    ),
    POST(`${reviews}/subjectaccessreviews`, { spec: {} }),
    POST(`${reviews}/selfsubjectaccessreviews`, { spec: {} }),
  ],
  escalation: [
    POST(`${rbac}/roles`, role("maker", ["roles", "rolebindings"], ["create", "update", "patch"]), {
      unrecorded: true,
    }),
    bind("maker", "joe"),
    POST(`${rbac}/roles`, role("more", ["secrets"], ["get"]), {
      headers: as("joe"),
      until: (body) => !String(body.message).includes('cannot create resource "roles"'),
    }),
    POST(`${rbac}/roles`, role("same", ["roles"], ["create"]), { headers: as("joe") }),
    POST(
      `${rbac}/rolebindings`,
      {
        metadata: { name: "admin" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
        subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "joe" }],
      },
      { headers: as("joe") },
    ),
  ],
};

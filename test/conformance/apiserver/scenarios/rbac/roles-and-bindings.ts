import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { PATCH, POST } from "../../requests.ts";

const bindings = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings";
const metadata = { name: "a" };
const rbac = "rbac.authorization.k8s.io";
const roleRef = { apiGroup: rbac, kind: "Role", name: "r" };
const paths = { nonResourceURLs: ["/x"] };
const ofPods = { apiGroups: [""], resources: ["pods"] };
const role = (path: string, rules: readonly object[]): RequestStep =>
  dry(`/apis/${rbac}/v1${path}`, { metadata, rules });
const dry = (path: string, body: unknown): RequestStep => POST(`${path}?dryRun=All`, body);

export const scenarios: Scenarios = {
  rbac: [
    POST("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", {
      metadata: { name: "a:b" },
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    }),
    POST("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", {
      metadata: { name: "b" },
      rules: [{ resources: ["x"] }],
    }),
    POST("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings", {
      metadata: { name: "a" },
      roleRef: { kind: "Role", name: "a:b" },
      subjects: [
        { kind: "User", name: "u" },
        { kind: "ServiceAccount", name: "s", namespace: "n" },
      ],
    }),
    PATCH("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings/a", merge, { roleRef: { name: "c" } }),
  ],
  "binding-refusals": [
    ...[
      { apiGroup: "x", kind: "Role", name: "r" },
      { apiGroup: rbac, kind: "x", name: "r" },
      { apiGroup: rbac, kind: "Role", name: "" },
      { apiGroup: rbac, kind: "Role", name: "a/b" },
      undefined,
    ].map((roleRef) => dry(bindings, { metadata, roleRef })),
    ...[
      { kind: "x", name: "a" },
      { kind: "User", name: "" },
      { kind: "User", name: "a", apiGroup: "x" },
      { kind: "Group", name: "a" },
      { kind: "ServiceAccount", name: "A b" },
      { kind: "ServiceAccount", name: "a", apiGroup: "x" },
      { kind: "ServiceAccount", name: "a", namespace: "" },
      {},
    ].flatMap((subject) => [
      dry(bindings, { metadata, roleRef, subjects: [subject] }),
      dry(`/apis/${rbac}/v1/clusterrolebindings`, {
        metadata,
        roleRef: { ...roleRef, kind: "ClusterRole" },
        subjects: [subject],
      }),
    ]),
  ],
  "role-rules": [
    role("/namespaces/{ns}/roles", [{ ...paths, verbs: ["get"] }]),
    role("/namespaces/{ns}/roles", [{ ...ofPods, ...paths, verbs: ["get"] }]),
    role("/clusterroles", [{ ...ofPods, ...paths, verbs: ["get"] }]),
    role("/clusterroles", [{ ...paths, verbs: ["get"] }]),
    role("/clusterroles", [paths, { verbs: ["get"] }]),
  ],
};

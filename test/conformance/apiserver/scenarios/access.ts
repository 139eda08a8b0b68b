import { merge, type RequestStep, type Scenario } from "../scenario.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}";
const reviews = "/apis/authorization.k8s.io/v1";
const maps = "/api/v1/namespaces/{ns}/configmaps";
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

/** Queries and options of an eviction, which both may ask for a dry run. */
const evictions: readonly (readonly [query: string, options: Record<string, unknown>])[] = [
  ["", { dryRun: ["All"] }],
  ["?dryRun=All", { dryRun: ["All"] }],
  ["?dryRun=All", { dryRun: [] }],
  ["", { dryRun: ["x"] }],
  ["", { dryRun: "All" }],
  ["?dryRun=All", { preconditions: { resourceVersion: "1" } }],
  ["?dryRun=All", { propagationPolicy: "Sideways" }],
  ["?dryRun=All", { gracePeriodSeconds: -1 }],
];

const pods = "/api/v1/namespaces/{ns}/pods";
const evict = (name: string, query: string, deleteOptions?: object): RequestStep => ({
  request: `POST ${pods}/${name}/eviction${query}`,
  body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name }, deleteOptions },
});
const disruption = ({ metadata: { generation, deletionGracePeriodSeconds }, status }: any): unknown => ({
  generation,
  deletionGracePeriodSeconds,
  status,
});

export const accessScenarios: readonly Scenario[] = [
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
  {
    name: "tokens",
    steps: [
      {
        request: "POST /api/v1/namespaces/{ns}/serviceaccounts",
        body: { metadata: { name: "robot" } },
        unrecorded: true,
      },
      {
        request: "POST /api/v1/namespaces/{ns}/serviceaccounts/robot/token",
        body: { spec: { expirationSeconds: 100 } },
      },
      {
        request: "POST /api/v1/namespaces/{ns}/serviceaccounts/robot/token",
        body: { spec: { expirationSeconds: 5_000_000_000 } },
      },
      { request: "POST /api/v1/namespaces/{ns}/serviceaccounts/none/token", body: { spec: {} } },
      {
        request: "POST /api/v1/namespaces/{ns}/serviceaccounts/robot/token",
        body: { spec: { expirationSeconds: 600 } },
        pick: ({ kind, apiVersion, spec, status }) => ({
          kind,
          apiVersion,
          expirationSeconds: spec.expirationSeconds,
          parts: status.token.split(".").length,
        }),
        save: { token: "status.token" },
      },
      {
        request: "POST /apis/authentication.k8s.io/v1/tokenreviews",
        body: { spec: { token: "{token}" } },
        pick: ({ status }) => ({
          authenticated: status.authenticated,
          name: status.user.username,
          groups: status.user.groups,
        }),
      },
      {
        request: "POST /apis/authentication.k8s.io/v1/selfsubjectreviews",
        headers: { authorization: "Bearer {token}" },
        body: {},
        pick: ({ status }) => status.userInfo.username,
      },
      { request: "GET /api/v1/namespaces/{ns}/secrets", headers: { authorization: "Bearer {token}" } },
      { request: "GET /api/v1/namespaces/{ns}/secrets", headers: { authorization: "Bearer wrong" } },
      { request: "DELETE /api/v1/namespaces/{ns}/serviceaccounts/robot", unrecorded: true },
      {
        request: "GET /api/v1/namespaces/{ns}/secrets",
        headers: { authorization: "Bearer {token}" },
        until: (_, status) => status === 401,
      },
      {
        request: "POST /api/v1/namespaces/{ns}/serviceaccounts",
        body: { metadata: { name: "robot" } },
        unrecorded: true,
      },
      { request: "GET /api/v1/namespaces/{ns}/secrets", headers: { authorization: "Bearer {token}" } },
    ],
  },
  {
    name: "eviction-condition",
    steps: [
      ...["a", "b", "kept", "done"].map((name): RequestStep => ({
        request: `POST ${pods}`,
        body: {
          metadata: { name, labels: { name }, ...(name === "kept" && { finalizers: ["x.io/keep"] }) },
          spec: { nodeName: name === "kept" ? "" : "n", containers: [{ name: "c", image: "i" }] },
        },
        unrecorded: true,
      })),
      { open: "pods", request: `GET ${pods}?watch=true&labelSelector=name=a` },
      { read: "pods", count: 1 },
      evict("a", "?dryRun=All"),
      evict("a", "", { preconditions: { resourceVersion: "1" } }),
      { request: `GET ${pods}/a`, pick: disruption, save: { version: "metadata.resourceVersion" } },
      evict("a", "", { preconditions: { resourceVersion: "{version}" } }),
      { read: "pods", count: 2 },
      { request: `GET ${pods}/a`, pick: disruption },
      // Another one changes no more than the time that is left.
      evict("a", ""),
      { request: `GET ${pods}/a`, pick: disruption },
      evict("a", "", { gracePeriodSeconds: 0 }),
      { request: `GET ${pods}/a` },
      { request: `DELETE ${pods}/b`, pick: disruption },
      evict("b", ""),
      { request: `GET ${pods}/b`, pick: disruption },
      evict("kept", ""),
      { request: `GET ${pods}/kept`, pick: disruption },
      {
        request: `PATCH ${pods}/done/status`,
        headers: merge,
        body: {
          status: {
            phase: "Succeeded",
            conditions: [
              {
                type: "DisruptionTarget",
                status: "True",
                reason: "Before",
                lastTransitionTime: "2020-01-01T00:00:00Z",
              },
              { type: "Ready", status: "False" },
            ],
          },
        },
        pick: disruption,
      },
      { open: "done", request: `GET ${pods}?watch=true&labelSelector=name=done` },
      { read: "done", count: 1 },
      evict("done", ""),
      { read: "done", count: 1 },
    ],
  },
  {
    name: "eviction-options",
    steps: [
      {
        request: "POST /api/v1/namespaces/{ns}/pods",
        body: { metadata: { name: "a", labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i" }] } },
        unrecorded: true,
      },
      ...evictions.map(([query, deleteOptions]): RequestStep => ({
        request: `POST /api/v1/namespaces/{ns}/pods/a/eviction${query}`,
        body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" }, deleteOptions },
      })),
      { request: "GET /api/v1/namespaces/{ns}/pods/a" },
    ],
  },
  {
    name: "eviction",
    steps: [
      {
        request: "POST /api/v1/namespaces/{ns}/pods",
        body: {
          metadata: { name: "a", labels: { app: "a" } },
          spec: { containers: [{ name: "c", image: "i" }] },
        },
        unrecorded: true,
      },
      {
        request: "PATCH /api/v1/namespaces/{ns}/pods/a/status",
        headers: merge,
        body: { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
        unrecorded: true,
      },
      {
        request: "POST /apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
        body: { metadata: { name: "b" }, spec: { minAvailable: 1, selector: { matchLabels: { app: "a" } } } },
        unrecorded: true,
      },
      {
        request: "PATCH /apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/b/status",
        headers: merge,
        body: {
          status: {
            observedGeneration: 1,
            disruptionsAllowed: 0,
            currentHealthy: 1,
            desiredHealthy: 1,
            expectedPods: 1,
          },
        },
        unrecorded: true,
      },
      {
        request: "POST /api/v1/namespaces/{ns}/pods/a/eviction",
        body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } },
      },
      {
        request: "POST /api/v1/namespaces/{ns}/pods/none/eviction",
        body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "none" } },
      },
      {
        request: "PATCH /apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/b/status",
        headers: merge,
        body: { status: { disruptionsAllowed: 1 } },
        unrecorded: true,
      },
      {
        request: "POST /api/v1/namespaces/{ns}/pods/a/eviction",
        body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } },
      },
      { request: "GET /apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/b" },
    ],
  },
];

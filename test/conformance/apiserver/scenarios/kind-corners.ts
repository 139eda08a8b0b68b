import { merge, type RequestStep, type Scenario } from "../scenario.ts";

const ns = "/api/v1/namespaces/{ns}";
const post = (path: string, body: Record<string, unknown>, query = ""): RequestStep => ({
  request: `POST ${path}${query}`,
  body,
});
const named = (name: unknown, fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  metadata: { name },
  ...fields,
});
const scaler = (target: Record<string, unknown>): RequestStep =>
  post(
    "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers",
    named("a", { spec: { maxReplicas: 2, scaleTargetRef: { name: "x", ...target } } }),
    "?dryRun=All",
  );
const event = (name: string): RequestStep =>
  post(`${ns}/events`, {
    ...named(name),
    involvedObject: { kind: "Pod", name, namespace: "{ns}", uid: `uid-${name}` },
    reason: name,
    type: "Normal",
    reportingComponent: "me",
  });
const names = ({ kind, message, items }: any): unknown =>
  kind === "Status" ? message : items.map(({ metadata }: any) => metadata.name);
const select = (path: string, field: string): RequestStep => ({
  request: `GET ${path}/events?fieldSelector=${encodeURIComponent(field)}`,
  pick: names,
});
const owners = (apiVersion: unknown): RequestStep =>
  post(
    `${ns}/configmaps`,
    { metadata: { name: "o", ownerReferences: [{ apiVersion, kind: "K", name: "n", uid: "u" }] } },
    "?dryRun=All",
  );
const role = (path: string, rules: readonly unknown[]): RequestStep =>
  post(`/apis/rbac.authorization.k8s.io/v1${path}`, named("r", { rules }), "?dryRun=All");
const quota = (hard: Record<string, unknown>): RequestStep =>
  post(`${ns}/resourcequotas`, named("q", { spec: { hard } }), "?dryRun=All");
const pod = (env: Record<string, unknown>): RequestStep =>
  post(
    `${ns}/pods`,
    named("p", { spec: { containers: [{ name: "c", image: "i", env: [{ name: "E", valueFrom: env }] }] } }),
    "?dryRun=All",
  );
const slice = (fields: Record<string, unknown>): RequestStep =>
  post(
    "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices",
    named("s", { endpoints: [], ...fields }),
    "?dryRun=All",
  );

const refusal = ({ code, message, details }: any): unknown =>
  code === undefined ? "accepted" : { code, causes: details?.causes ?? message };
const dry = (path: string, body: object): RequestStep => ({
  request: `POST ${path}?dryRun=All`,
  body: { metadata: { name: "a" }, ...body },
  pick: refusal,
});
const policy = (spec: object): RequestStep =>
  dry("/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies", { spec: { podSelector: {}, ...spec } });
const service = (spec: object): RequestStep => dry(`${ns}/services`, { spec: { ports: [{ port: 80 }], ...spec } });
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const job = (spec: object, restartPolicy = "Never"): RequestStep =>
  dry("/apis/batch/v1/namespaces/{ns}/jobs", {
    spec: { template: { ...template, spec: { ...template.spec, restartPolicy } }, ...spec },
  });
const controller = (spec: object): RequestStep => dry(`${ns}/replicationcontrollers`, { spec });
const ingressClass = (parameters: object): RequestStep =>
  dry("/apis/networking.k8s.io/v1/ingressclasses", { spec: { controller: "a.b/c", parameters } });
const autoscaler = (spec: object): RequestStep =>
  dry("/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers", {
    spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" }, ...spec },
  });

export const kindCornerScenarios: readonly Scenario[] = [
  {
    name: "kinds-secret-bytes",
    steps: ["aGVsbG8=\n", "aGVs\r\nbG8=", "aGVsbG8", "aGVs bG8=", "", null, 7].map((k, index) =>
      post(`${ns}/secrets`, named(`s${index}`, { data: { k } })),
    ),
  },
  {
    name: "kinds-targets",
    steps: [
      { apiVersion: "v1", kind: "ReplicationController" },
      { kind: "ReplicationController" },
      { apiVersion: "v1", kind: "Pod" },
      { apiVersion: "apps/v1", kind: "ReplicationController" },
      { apiVersion: "a/b/c", kind: "Deployment" },
      { apiVersion: "apps", kind: "Deployment" },
      { apiVersion: "apps/v1", kind: "a/b" },
      { apiVersion: "apps/v1", kind: "" },
      { apiVersion: "apps/v1", kind: "K", name: "" },
      { apiVersion: "apps/v1", kind: "K", name: "a/b" },
    ].map(scaler),
  },
  {
    name: "kinds-event-fields",
    steps: [
      event("a"),
      event("b"),
      ...["regarding.name=a", "regarding.kind=Pod", "regarding.uid=uid-b", "reason!=a", "type=Normal"].map((field) =>
        select("/apis/events.k8s.io/v1/namespaces/{ns}", field),
      ),
      ...["reportingController=me", "reportingComponent=me", "involvedObject.name=a", "note=x", "source=x"].map(
        (field) => select("/apis/events.k8s.io/v1/namespaces/{ns}", field),
      ),
      ...["regarding.name=a", "reportingController=me", "reportingComponent=me", "involvedObject.name=b"].map((field) =>
        select(ns, field),
      ),
    ],
  },
  {
    name: "kinds-names",
    steps: [
      post(`${ns}/configmaps`, named(null)),
      post(`${ns}/configmaps`, { metadata: { name: null, generateName: null, namespace: null, labels: null } }),
      post(`${ns}/configmaps`, { metadata: null }),
      post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", named(null)),
      post("/apis/rbac.authorization.k8s.io/v1/clusterroles", named(null)),
      post(`${ns}/pods`, named(null, { spec: { containers: [{ name: "c", image: "i" }] } })),
      ...["v1", "a/b", "a/b/c", "", "/", "a/"].map(owners),
    ],
  },
  {
    name: "kinds-rules",
    steps: [
      role("/namespaces/{ns}/roles", [{ nonResourceURLs: ["/x"], verbs: ["get"] }]),
      role("/namespaces/{ns}/roles", [
        { apiGroups: [""], resources: ["pods"], nonResourceURLs: ["/x"], verbs: ["get"] },
      ]),
      role("/clusterroles", [{ apiGroups: [""], resources: ["pods"], nonResourceURLs: ["/x"], verbs: ["get"] }]),
      role("/clusterroles", [{ nonResourceURLs: ["/x"], verbs: ["get"] }]),
      role("/clusterroles", [{ nonResourceURLs: ["/x"] }, { verbs: ["get"] }]),
      quota({ cpu: "-1" }),
      quota({ pods: "1.5" }),
      pod({ fieldRef: { fieldPath: "metadata.nope" } }),
      pod({ fieldRef: { fieldPath: "metadata.name" } }),
      pod({ fieldRef: { fieldPath: "metadata.labels['a']" } }),
      pod({ fieldRef: { fieldPath: "" } }),
      pod({ fieldRef: { fieldPath: "spec.nodeName", apiVersion: "v2" } }),
      pod({ resourceFieldRef: { resource: "limits.cpu" } }),
      pod({ resourceFieldRef: { resource: "nope" } }),
      slice({ addressType: "Nope" }),
      slice({}),
      slice({ addressType: "IPv4", endpoints: [{ addresses: [] }] }),
      slice({ addressType: "IPv4", ports: [{ name: "A_B", port: 70000 }] }),
    ],
  },
  {
    name: "kinds-changes",
    steps: [
      post("/apis/apps/v1/namespaces/{ns}/controllerrevisions", named("c", { revision: 1, data: { a: 1 } })),
      {
        request: "PATCH /apis/apps/v1/namespaces/{ns}/controllerrevisions/c",
        headers: merge,
        body: { data: { a: 2 } },
      },
      { request: "PATCH /apis/apps/v1/namespaces/{ns}/controllerrevisions/c", headers: merge, body: { revision: 2 } },
      post(`${ns}/pods`, named("p", { spec: { containers: [{ name: "c", image: "i" }] } })),
      post(`${ns}/pods/p/eviction`, named("other"), "?dryRun=All"),
      post(`${ns}/pods/p/eviction`, { metadata: { name: "p", namespace: "default" } }, "?dryRun=All"),
      post(`${ns}/pods/p/eviction`, {}, "?dryRun=All"),
      post(`${ns}/configmaps`, { metadata: { name: "v", resourceVersion: "7" } }, "?dryRun=All"),
      post(`${ns}/configmaps`, { metadata: { name: "V_", resourceVersion: "7" } }),
      post(`${ns}/configmaps`, { metadata: { name: "v", resourceVersion: "7" } }),
    ],
  },
  {
    name: "kinds-parts",
    steps: [
      ...[{ endPort: 3 }, { port: 5, endPort: 3 }, { port: "a", endPort: 3 }, { port: 5, endPort: 70_000 }].map(
        (port) => policy({ ingress: [{ ports: [port] }] }),
      ),
      ...[["11.0.0.0/8"], ["10.0.0.0/8"], ["10.1.0.0/16", "x"], ["::/0"]].map((except) =>
        policy({ egress: [{ to: [{ ipBlock: { cidr: "10.0.0.0/8", except } }] }] }),
      ),
      ...[0, 86_400, 86_401].map((timeoutSeconds) =>
        service({ sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds } } }),
      ),
      service({ type: "LoadBalancer", loadBalancerSourceRanges: ["x", "10.0.0.0/8"] }),
      service({ ipFamilies: ["IPv4", "IPv4"] }),
      service({ trafficDistribution: "Nope" }),
      job({ podFailurePolicy: { rules: [{ action: "FailJob" }] } }),
      job({ podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [0] } }] } }),
      job({ podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "x" }] }] } }, "OnFailure"),
      job({ completionMode: "Indexed", completions: 2, backoffLimitPerIndex: 1, maxFailedIndexes: 3 }),
      job({ managedBy: "A B" }),
      job({ managedBy: "a.b/c" }),
      controller({ replicas: -1, selector: { a: "b" }, template }),
      controller({ selector: { a: "c" }, template }),
      controller({ selector: { a: "b" } }),
      controller({}),
      dry(`${ns}/podtemplates`, {}),
      dry(`${ns}/podtemplates`, { template: { ...template, metadata: { labels: { "a b": "x" } } } }),
      ingressClass({ kind: "K", name: "n", scope: "Namespace" }),
      ingressClass({ kind: "K", name: "n", scope: "Cluster", namespace: "x" }),
      ingressClass({ kind: "K", name: "n", scope: "Nope" }),
      autoscaler({ minReplicas: 0 }),
      autoscaler({
        metrics: [{ type: "External", external: { metric: { name: "a" }, target: { type: "Value", value: "-1" } } }],
      }),
      autoscaler({ metrics: [{ type: "Pods", pods: { metric: { name: "a/b" }, target: { type: "AverageValue" } } }] }),
      autoscaler({
        behavior: {
          scaleUp: { stabilizationWindowSeconds: 5000, selectPolicy: "Nope" },
          scaleDown: { policies: [{ type: "Nope", value: 0, periodSeconds: 2000 }] },
        },
      }),
    ],
  },
  {
    // Words that JavaScript finds in any object.
    name: "words-of-objects",
    steps: ["constructor", "toString", "__proto__"].flatMap((word) => [
      dry(`${ns}/secrets`, { type: word }),
      dry("/apis/batch/v1/namespaces/{ns}/cronjobs", {
        spec: {
          schedule: word,
          jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } },
        },
      }),
      autoscaler({ metrics: [{ type: word }] }),
    ]),
  },
];

import { merge, type RequestStep, type Scenario } from "../scenario.ts";

const container = { name: "c", image: "i:1" };
const post = (path: string, spec: object, name = "a"): RequestStep => ({
  request: `POST ${path}`,
  body: { metadata: { name }, spec },
});
const core = "/api/v1/namespaces/{ns}";
const networking = "/apis/networking.k8s.io/v1/namespaces/{ns}";
const apps = "/apis/apps/v1/namespaces/{ns}";
const budgets = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets";
const autoscalers = "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers";
const target = { apiVersion: "apps/v1", kind: "Deployment", name: "a" };
const claim = (storage: string): object => ({
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage } },
});
const claimTemplate = (name: string): object => ({ metadata: { name }, spec: claim("1Gi") });
const setOf = (claims: readonly object[], more: object = {}, pods: object = {}): object => ({
  serviceName: "s",
  selector: { matchLabels: { a: "b" } },
  template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ ...container, ...more }], ...pods } },
  volumeClaimTemplates: claims,
});
/** Rules that kinds have in code. */
export const kindRuleScenarios: readonly Scenario[] = [
  {
    name: "kind-rules",
    steps: [
      post(`${networking}/ingresses`, {}),
      post(`${networking}/ingresses`, { rules: [{ host: "1.2.3.4" }, { host: "a b" }], defaultBackend: {} }),
      post(`${networking}/networkpolicies`, {
        podSelector: { matchExpressions: [{ key: "a", operator: "In" }] },
        ingress: [{ ports: [{ port: 0 }, { port: "é" }], from: [{}, { ipBlock: { cidr: "x" } }] }],
      }),
      post(budgets, { minAvailable: "101%" }),
      post(budgets, { minAvailable: -1, selector: { matchLabels: { a: "é" } } }),
      post(autoscalers, { maxReplicas: 0, scaleTargetRef: { ...target, apiVersion: "v1" } }),
      post(autoscalers, { minReplicas: 5, maxReplicas: 3, scaleTargetRef: target, metrics: [{ type: "Foo" }] }),
      post(`${apps}/deployments`, {
        selector: { matchLabels: { a: "é" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [container] } },
      }),
      post(`${apps}/statefulsets`, {
        serviceName: "A",
        selector: {},
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [container] } },
      }),
      post(`${apps}/deployments`, {
        selector: { matchLabels: { a: "b" } },
        template: {
          metadata: { labels: { a: "b" } },
          spec: { containers: [{ ...container, livenessProbe: {}, env: [{ name: "a=b" }] }] },
        },
      }),
    ],
  },
  {
    name: "claim-templates",
    steps: [
      post(`${apps}/statefulsets`, setOf([claimTemplate("d")], { volumeMounts: [{ name: "d", mountPath: "/d" }] })),
      post(
        `${apps}/statefulsets`,
        setOf([claimTemplate("d")], { volumeMounts: [{ name: "e", mountPath: "/e" }] }),
        "b",
      ),
      post(
        `${apps}/statefulsets`,
        setOf(
          [claimTemplate("d")],
          { volumeMounts: [{ name: "d", mountPath: "/d" }] },
          {
            hostname: "A_",
            subdomain: "B_",
            volumes: [
              { name: "d", emptyDir: {} },
              { name: "E_", emptyDir: {} },
            ],
          },
        ),
        "b",
      ),
      post(`${apps}/statefulsets`, setOf([{ metadata: { name: "d" }, spec: {} }]), "b"),
      {
        request: `PATCH ${apps}/statefulsets/a`,
        headers: merge,
        body: { spec: { template: { spec: { hostname: "A_", containers: [{ ...container, image: "i:2" }] } } } },
      },
    ],
  },
  {
    name: "kind-defaults",
    steps: [
      post(`${apps}/statefulsets`, { ...setOf([]), updateStrategy: { type: "RollingUpdate" } }),
      post(`${apps}/daemonsets`, {
        selector: { matchLabels: { a: "b" } },
        template: {
          metadata: { labels: { a: "b" } },
          spec: { hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80 }] }] },
        },
      }),
      post(`${core}/replicationcontrollers`, {
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [container] } },
      }),
      {
        request: `POST ${core}/podtemplates`,
        body: { metadata: { name: "a" }, template: { spec: { containers: [container] } } },
      },
      {
        request: `PATCH ${core}/podtemplates/a`,
        headers: merge,
        body: { template: { spec: { restartPolicy: "Never" } } },
      },
      post("/api/v1/persistentvolumes", {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/a" },
      }),
      post("/apis/storage.k8s.io/v1/csidrivers", {}),
      { request: "DELETE /api/v1/persistentvolumes/a" },
      { request: "DELETE /apis/storage.k8s.io/v1/csidrivers/a" },
    ],
  },
  {
    name: "job-orphans",
    steps: [
      post("/apis/batch/v1/namespaces/{ns}/jobs", {
        template: { spec: { restartPolicy: "Never", containers: [container] } },
      }),
      { request: "DELETE /apis/batch/v1/namespaces/{ns}/jobs/a" },
      {
        request: "PATCH /apis/batch/v1/namespaces/{ns}/jobs/a",
        headers: merge,
        body: { metadata: { finalizers: null } },
      },
      { request: "GET /apis/batch/v1/namespaces/{ns}/jobs/a" },
    ],
  },
];

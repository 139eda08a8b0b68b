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
const balanced = {
  type: "LoadBalancer",
  externalTrafficPolicy: "Local",
  loadBalancerClass: "example.com/a",
  sessionAffinity: "ClientIP",
  ports: [{ port: 80 }],
};
/** A service's type decides which of its other fields stay. */
const typed = (spec: object): RequestStep => ({
  request: `PATCH ${core}/services/a`,
  headers: merge,
  body: { spec },
  pick: withoutPorts,
});
/** Replaces the ports, which are random, with whether there are any. */
function withoutPorts({ spec, status, message }: any): unknown {
  if (message !== undefined) return message;
  const { clusterIP, clusterIPs, ports, healthCheckNodePort, ...rest } = spec;
  return {
    ...rest,
    hasAddress: clusterIP !== undefined && clusterIPs !== undefined,
    hasNodePort: ports[0].nodePort !== undefined,
    hasHealthCheck: healthCheckNodePort !== undefined,
    status,
  };
}
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
  {
    name: "service-types",
    steps: [
      { ...post(`${core}/services`, balanced), pick: withoutPorts },
      {
        request: `PATCH ${core}/services/a/status`,
        headers: merge,
        body: { status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } } },
        pick: withoutPorts,
      },
      ...[{ type: "ClusterIP" }, balanced, { type: "NodePort" }, balanced].map(typed),
      // What the request changes stays, and is refused if it does not fit the type.
      typed({ type: "ClusterIP", allocateLoadBalancerNodePorts: false }),
      typed({ type: "ClusterIP", loadBalancerClass: "example.com/b" }),
      typed({ type: "ClusterIP", externalTrafficPolicy: "Cluster" }),
      typed({ type: "ClusterIP", healthCheckNodePort: 30999 }),
      typed({ externalTrafficPolicy: "Cluster", healthCheckNodePort: 30999 }),
      typed({ loadBalancerClass: "example.com/b" }),
      typed({ type: "ClusterIP", sessionAffinity: "None" }),
      typed(balanced),
      typed({ type: "ExternalName", externalName: "example.com" }),
    ],
  },
];

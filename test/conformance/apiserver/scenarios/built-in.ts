import { merge, strategic, type Scenario } from "../scenario.ts";

const ns = "/api/v1/namespaces/{ns}";
const apps = "/apis/apps/v1/namespaces/{ns}";
const priorities = "/apis/scheduling.k8s.io/v1/priorityclasses";
const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "nginx" }] } };
const selector = { matchLabels: { app: "a" } };
const deployment = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { selector, template, ...spec } });

export const builtInScenarios: readonly Scenario[] = [
  {
    name: "deployment",
    steps: [
      { request: `POST ${apps}/deployments`, body: deployment("a") },
      { request: `POST ${apps}/deployments`, body: deployment("b", { selector: { matchLabels: { app: "other" } } }) },
      { request: `POST ${apps}/deployments`, body: { metadata: { name: "c" }, spec: {} } },
      { request: `POST ${apps}/deployments`, body: deployment("d", { replicas: -1 }) },
      { request: `POST ${apps}/deployments`, body: deployment("e", { replicas: "x" }) },
      { request: `POST ${apps}/deployments`, body: deployment("f", { strategy: { type: "Recreate" } }) },
      {
        request: `PATCH ${apps}/deployments/a`,
        headers: merge,
        body: { spec: { selector: { matchLabels: { app: "x" } } } },
      },
      { request: `PATCH ${apps}/deployments/a`, headers: merge, body: { metadata: { annotations: { a: "b" } } } },
      { request: `PATCH ${apps}/deployments/a`, headers: merge, body: { metadata: { labels: { a: "b" } } } },
      {
        request: `PATCH ${apps}/deployments/a`,
        headers: strategic,
        body: { spec: { template: { spec: { containers: [{ name: "c", env: [{ name: "A", value: "1" }] }] } } } },
      },
      {
        request: `PATCH ${apps}/deployments/a`,
        headers: strategic,
        body: { spec: { template: { spec: { containers: [{ name: "side", image: "busybox:1.36" }] } } } },
      },
      { request: `GET ${apps}/deployments/a/scale` },
      { request: `PATCH ${apps}/deployments/a/scale`, headers: merge, body: { spec: { replicas: 3 } } },
      { request: `PATCH ${apps}/deployments/a/scale`, headers: merge, body: { spec: { replicas: -3 } } },
      {
        request: `PATCH ${apps}/deployments/a/status`,
        headers: merge,
        body: {
          metadata: { labels: { x: "y" }, annotations: { x: "y" } },
          spec: { replicas: 9 },
          status: { replicas: 2, observedGeneration: 4 },
        },
      },
      { request: `GET ${apps}/deployments/a` },
      { request: `DELETE ${apps}/deployments/a` },
    ],
  },
  {
    name: "workloads",
    steps: [
      { request: `POST ${apps}/replicasets`, body: deployment("a") },
      { request: `POST ${apps}/daemonsets`, body: deployment("a") },
      {
        request: `POST ${apps}/statefulsets`,
        body: deployment("a", {
          serviceName: "s",
          volumeClaimTemplates: [
            {
              metadata: { name: "d" },
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
            },
          ],
        }),
      },
      { request: `PATCH ${apps}/statefulsets/a`, headers: merge, body: { spec: { serviceName: "t" } } },
      { request: `PATCH ${apps}/statefulsets/a`, headers: merge, body: { spec: { replicas: 2 } } },
      {
        request: `POST /apis/batch/v1/namespaces/{ns}/cronjobs`,
        body: {
          metadata: { name: "a" },
          spec: {
            schedule: "* * * * *",
            jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } },
          },
        },
      },
      {
        request: `POST ${apps}/controllerrevisions`,
        body: { metadata: { name: "a" }, revision: 1, data: { x: { y: 1 } } },
      },
    ],
  },
  {
    name: "pod",
    steps: [
      {
        request: `POST ${ns}/pods`,
        body: {
          metadata: { name: "a" },
          spec: {
            containers: [
              {
                name: "c",
                image: "nginx:1.27",
                ports: [{ containerPort: 80 }],
                livenessProbe: { httpGet: { port: 80 } },
                env: [{ name: "N", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
                resources: { limits: { cpu: "1", memory: "1Gi" } },
                volumeMounts: [{ name: "v", mountPath: "/v" }],
              },
            ],
            volumes: [
              { name: "v" },
              { name: "s", secret: { secretName: "x" } },
              { name: "m", configMap: { name: "x" } },
            ],
          },
        },
      },
      { request: `POST ${ns}/pods`, body: { metadata: { name: "b" }, spec: {} } },
      { request: `POST ${ns}/pods`, body: { metadata: { name: "b" }, spec: { containers: [{ name: "c" }] } } },
      {
        request: `POST ${ns}/pods`,
        body: {
          metadata: { name: "b" },
          spec: { containers: [{ name: "C_", image: "x" }], restartPolicy: "Sometimes" },
        },
      },
      {
        request: `PATCH ${ns}/pods/a`,
        headers: merge,
        body: { spec: { containers: [{ name: "c", image: "nginx:1.28" }] } },
      },
      {
        request: `PATCH ${ns}/pods/a`,
        headers: strategic,
        body: { spec: { containers: [{ name: "c", image: "nginx:1.28" }] } },
      },
      {
        request: `PATCH ${ns}/pods/a/status`,
        headers: strategic,
        body: { status: { phase: "Running", podIP: "10.1.1.1" } },
      },
      { request: `DELETE ${ns}/pods/a` },
      { request: `GET ${ns}/pods/a` },
    ],
  },
  {
    name: "service",
    steps: [
      {
        request: `POST ${ns}/services`,
        body: { metadata: { name: "a" }, spec: { selector: { a: "b" }, ports: [{ port: 80 }] } },
      },
      {
        request: `POST ${ns}/services`,
        body: { metadata: { name: "h" }, spec: { clusterIP: "None", selector: { a: "b" } } },
      },
      {
        request: `POST ${ns}/services`,
        body: { metadata: { name: "e" }, spec: { type: "ExternalName", externalName: "x.y" } },
      },
      {
        request: `POST ${ns}/services`,
        body: { metadata: { name: "b" }, spec: { ports: [{ port: 80 }, { port: 81 }] } },
      },
      { request: `POST ${ns}/services`, body: { metadata: { name: "b" }, spec: { ports: [{ port: 99999 }] } } },
      { request: `POST ${ns}/services`, body: { metadata: { name: "b" }, spec: {} } },
      { request: `PATCH ${ns}/services/a`, headers: merge, body: { spec: { clusterIP: "10.96.0.99" } } },
      { request: `PATCH ${ns}/services/a`, headers: merge, body: { spec: { selector: { c: "d" } } } },
      { request: `DELETE ${ns}/services/a` },
    ],
  },
  {
    name: "configuration",
    steps: [
      {
        request: `POST ${ns}/secrets`,
        body: { metadata: { name: "a" }, stringData: { x: "hello" }, data: { y: "eA==" } },
      },
      { request: `POST ${ns}/secrets`, body: { metadata: { name: "b" }, data: { y: "not base64!" } } },
      { request: `PATCH ${ns}/secrets/a`, headers: merge, body: { type: "other" } },
      { request: `POST ${ns}/configmaps`, body: { metadata: { name: "i" }, data: { a: "b" }, immutable: true } },
      { request: `PATCH ${ns}/configmaps/i`, headers: merge, body: { data: { a: "c" } } },
      { request: `PATCH ${ns}/configmaps/i`, headers: merge, body: { immutable: null } },
      { request: `PATCH ${ns}/configmaps/i`, headers: merge, body: { metadata: { labels: { a: "b" } } } },
      { request: `POST ${ns}/configmaps`, body: { metadata: { name: "k" }, data: { "bad key": "b" } } },
      { request: `POST ${ns}/serviceaccounts`, body: { metadata: { name: "robot" } } },
      { request: `DELETE ${ns}/serviceaccounts/robot` },
      {
        request: `POST ${ns}/persistentvolumeclaims`,
        body: {
          metadata: { name: "p" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      },
      {
        request: `PATCH ${ns}/persistentvolumeclaims/p`,
        headers: merge,
        body: { spec: { accessModes: ["ReadWriteMany"] } },
      },
    ],
  },
  {
    name: "rbac",
    steps: [
      {
        request: `POST /apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles`,
        body: { metadata: { name: "a:b" }, rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
      },
      {
        request: `POST /apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles`,
        body: { metadata: { name: "b" }, rules: [{ resources: ["x"] }] },
      },
      {
        request: `POST /apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings`,
        body: {
          metadata: { name: "a" },
          roleRef: { kind: "Role", name: "a:b" },
          subjects: [
            { kind: "User", name: "u" },
            { kind: "ServiceAccount", name: "s", namespace: "n" },
          ],
        },
      },
      {
        request: `PATCH /apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings/a`,
        headers: merge,
        body: { roleRef: { name: "c" } },
      },
    ],
  },
  {
    name: "lease",
    steps: [
      {
        request: `POST /apis/coordination.k8s.io/v1/namespaces/{ns}/leases`,
        body: {
          metadata: { name: "l" },
          spec: {
            holderIdentity: "a",
            leaseDurationSeconds: 15,
            acquireTime: "2024-01-01T00:00:00.000000Z",
            renewTime: "2024-01-01T00:00:00.000000Z",
            leaseTransitions: 0,
          },
        },
      },
      {
        request: `PUT /apis/coordination.k8s.io/v1/namespaces/{ns}/leases/l`,
        body: { metadata: { name: "l", resourceVersion: "1" }, spec: { holderIdentity: "b" } },
      },
      {
        request: `PUT /apis/coordination.k8s.io/v1/namespaces/{ns}/leases/l`,
        body: { metadata: { name: "l" }, spec: { holderIdentity: "b" } },
      },
      {
        request: `POST /apis/coordination.k8s.io/v1/namespaces/{ns}/leases`,
        body: { metadata: { name: "m" }, spec: { leaseDurationSeconds: 0 } },
      },
    ],
  },
  {
    name: "event",
    steps: [
      {
        request: `POST ${ns}/events`,
        body: {
          metadata: { name: "a" },
          involvedObject: { kind: "Pod", namespace: "{ns}", name: "p" },
          reason: "R",
          message: "M",
          type: "Normal",
          count: 1,
          firstTimestamp: "2024-01-01T00:00:00Z",
          lastTimestamp: "2024-01-01T00:00:00Z",
          source: { component: "c" },
        },
      },
      { request: `GET /apis/events.k8s.io/v1/namespaces/{ns}/events/a` },
      {
        request: `POST /apis/events.k8s.io/v1/namespaces/{ns}/events`,
        body: {
          metadata: { name: "b" },
          regarding: { kind: "Pod", namespace: "{ns}", name: "p" },
          reason: "R",
          note: "M",
          type: "Normal",
          action: "Do",
          eventTime: "2024-01-01T00:00:00.000000Z",
          reportingController: "x.io/c",
          reportingInstance: "i",
        },
      },
      { request: `GET ${ns}/events/b` },
      { request: `PATCH ${ns}/events/a`, headers: strategic, body: { count: 2 } },
    ],
  },
  {
    name: "namespace",
    steps: [
      { request: `POST /api/v1/namespaces`, body: { metadata: { name: "c-extra", labels: { a: "b" } } } },
      {
        request: `PATCH /api/v1/namespaces/c-extra`,
        headers: merge,
        body: { metadata: { labels: { "kubernetes.io/metadata.name": null } } },
      },
      { request: `DELETE /api/v1/namespaces/c-extra` },
      { request: `POST /api/v1/namespaces/c-extra/configmaps`, body: { metadata: { name: "x" } } },
      {
        request: `PUT /api/v1/namespaces/c-extra/finalize`,
        body: { kind: "Namespace", apiVersion: "v1", metadata: { name: "c-extra" }, spec: { finalizers: [] } },
      },
      { request: `GET /api/v1/namespaces/c-extra` },
      { request: `DELETE /api/v1/namespaces/kube-system` },
      { request: `POST /api/v1/namespaces`, body: { metadata: { name: "Bad.Name" } } },
      { request: `DELETE /api/v1/namespaces` },
    ],
  },
  {
    name: "job",
    steps: [
      {
        request: `POST /apis/batch/v1/namespaces/{ns}/jobs`,
        body: { metadata: { name: "a" }, spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } },
      },
      {
        request: `POST /apis/batch/v1/namespaces/{ns}/jobs`,
        body: { metadata: { name: "b" }, spec: { template: { spec: template.spec } } },
      },
      {
        request: `PATCH /apis/batch/v1/namespaces/{ns}/jobs/a`,
        headers: merge,
        body: { spec: { template: { spec: { restartPolicy: "OnFailure" } } } },
      },
      { request: `PATCH /apis/batch/v1/namespaces/{ns}/jobs/a`, headers: merge, body: { spec: { suspend: true } } },
    ],
  },
  {
    name: "network",
    steps: [
      {
        request: `POST /apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies`,
        body: { metadata: { name: "a" }, spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] } },
      },
      {
        request: `POST /apis/networking.k8s.io/v1/namespaces/{ns}/ingresses`,
        body: {
          metadata: { name: "a" },
          spec: {
            rules: [
              {
                http: {
                  paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } }],
                },
              },
            ],
          },
        },
      },
      {
        request: `POST /apis/policy/v1/namespaces/{ns}/poddisruptionbudgets`,
        body: { metadata: { name: "a" }, spec: { minAvailable: 1, selector: { matchLabels: { a: "b" } } } },
      },
      {
        request: `POST /apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers`,
        body: {
          metadata: { name: "a" },
          spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "a", apiVersion: "apps/v1" } },
        },
      },
      {
        request: `POST /apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices`,
        body: {
          metadata: { name: "a" },
          addressType: "IPv4",
          endpoints: [{ addresses: ["10.1.1.1"] }],
          ports: [{ port: 80 }],
        },
      },
    ],
  },
  {
    name: "priorities",
    steps: [
      { request: `GET ${priorities}/system-cluster-critical` },
      { request: `GET ${priorities}/system-node-critical` },
      { request: `POST ${priorities}`, body: { metadata: { name: "system-mine" }, value: 1 } },
      { request: `POST ${priorities}`, body: { metadata: { name: "big" }, value: 1_000_000_001 } },
      { request: `POST ${priorities}`, body: { metadata: { name: "fine" }, value: 7, description: "mine" } },
      { request: `PATCH ${priorities}/fine`, headers: merge, body: { value: 8 } },
      { request: `DELETE ${priorities}/system-node-critical` },
      { request: `DELETE ${priorities}/fine` },
    ],
  },
];

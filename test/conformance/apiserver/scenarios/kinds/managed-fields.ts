import { apply, merge, strategic, type RequestStep, type Scenarios } from "../../scenario.ts";
import { apps, core } from "../../steps.ts";
import { PATCH, PUT } from "../../requests.ts";

const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "nginx" }] } };
const selector = { matchLabels: { app: "a" } };
const deployment = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { selector, template, ...spec } });
const at = "2024-01-01T00:00:00Z";
const owned: Pick<RequestStep, "pick"> = { pick: ({ metadata }) => ({ managedFields: metadata?.managedFields }) };
const containers = (image: string) => ({ containers: [{ name: "c", image, ports: [{ containerPort: 80 }] }] });

/** Who owns what in objects of built-in types, where what Go always writes belongs to nobody. */
export const scenarios: Scenarios = {
  owners: {
    managedFields: true,
    steps: [
      { request: `POST ${apps}/deployments`, body: deployment("a"), ...owned },
      {
        request: `PATCH ${apps}/deployments/a?fieldManager=other`,
        headers: strategic,
        body: {
          metadata: { annotations: { by: "other" } },
          spec: {
            strategy: { type: "Recreate", rollingUpdate: null },
            template: { spec: { securityContext: { runAsUser: 1 }, ...containers("busybox") } },
          },
        },
        ...owned,
      },
      {
        request: `PATCH ${apps}/deployments/a/status?fieldManager=other`,
        headers: merge,
        body: {
          status: {
            replicas: 1,
            conditions: [{ type: "Available", status: "True", lastUpdateTime: at, lastTransitionTime: at }],
          },
        },
        ...owned,
      },
      PATCH(`${apps}/deployments/a/scale?fieldManager=scaler`, merge, { spec: { replicas: 2 } }),
      { request: `GET ${apps}/deployments/a`, ...owned },
      {
        request: `POST ${core}/services`,
        body: { metadata: { name: "a" }, spec: { selector: { app: "a" }, ports: [{ port: 80 }] } },
        ...owned,
      },
      {
        request: `PATCH ${core}/services/a?fieldManager=other`,
        headers: strategic,
        body: {
          spec: {
            type: "NodePort",
            ports: [
              { port: 81, name: "b", nodePort: 30081 },
              { port: 80, name: "a" },
            ],
          },
        },
        ...owned,
      },
      {
        request: `PATCH ${core}/services/a/status?fieldManager=other`,
        headers: merge,
        body: {
          status: {
            loadBalancer: {},
            conditions: [{ type: "A", status: "True", reason: "R", message: "", lastTransitionTime: at }],
          },
        },
        ...owned,
      },
      {
        request: `POST ${core}/pods`,
        body: {
          metadata: { name: "a", labels: { a: "b" }, finalizers: ["example.com/a"] },
          spec: {
            ...containers("nginx"),
            volumes: [{ name: "v", emptyDir: {} }],
            affinity: { nodeAffinity: {} },
            nodeSelector: { a: "b" },
            tolerations: [{ operator: "Exists" }],
          },
        },
        ...owned,
      },
      {
        request: `PATCH ${core}/pods/a/status?fieldManager=kubelet`,
        headers: strategic,
        body: {
          status: {
            phase: "Running",
            conditions: [{ type: "Ready", status: "True", lastProbeTime: at, lastTransitionTime: at }],
            podIP: "10.0.0.9",
          },
        },
        ...owned,
      },
      {
        request: `POST /apis/batch/v1/namespaces/{ns}/jobs`,
        body: {
          metadata: { name: "a" },
          spec: { template: { spec: { ...containers("busybox"), restartPolicy: "Never" } } },
        },
        ...owned,
      },
      {
        request: `PATCH /apis/batch/v1/namespaces/{ns}/jobs/a?fieldManager=other`,
        headers: merge,
        body: { metadata: { labels: { x: "y" } }, spec: { suspend: true } },
        ...owned,
      },
      {
        request: `POST /apis/batch/v1/namespaces/{ns}/cronjobs`,
        body: {
          metadata: { name: "a" },
          spec: {
            schedule: "* * * * *",
            jobTemplate: { spec: { template: { spec: { ...containers("busybox"), restartPolicy: "Never" } } } },
          },
        },
        ...owned,
      },
      {
        request: `POST ${apps}/statefulsets`,
        body: deployment("a", {
          serviceName: "a",
          volumeClaimTemplates: [
            {
              metadata: { name: "data" },
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
            },
          ],
        }),
        ...owned,
      },
      { request: `POST ${apps}/daemonsets`, body: deployment("a"), ...owned },
      PATCH(`${apps}/daemonsets/a?fieldManager=other`, merge, { spec: { template: { spec: containers("busybox") } } }),
      PUT(`${apps}/daemonsets/a?fieldManager=third`, deployment("a")),
      {
        request: `POST ${core}/persistentvolumeclaims`,
        body: {
          metadata: { name: "a" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
        ...owned,
      },
      {
        request: `POST ${core}/events`,
        body: {
          metadata: { name: "a" },
          involvedObject: { kind: "Pod", name: "a", namespace: "{ns}", apiVersion: "v1" },
          reason: "R",
          message: "M",
          type: "Normal",
          source: { component: "c" },
          firstTimestamp: at,
          lastTimestamp: at,
          count: 1,
        },
        ...owned,
      },
      {
        request: `POST /apis/coordination.k8s.io/v1/namespaces/{ns}/leases`,
        body: { metadata: { name: "a" }, spec: { holderIdentity: "a", leaseDurationSeconds: 15 } },
        ...owned,
      },
      { request: `POST ${core}/secrets`, body: { metadata: { name: "a" }, stringData: { a: "b" } }, ...owned },
      { request: `POST ${core}/configmaps`, body: { metadata: { name: "a" }, data: { a: "b" } }, ...owned },
      { request: `POST ${core}/serviceaccounts`, body: { metadata: { name: "a" } }, ...owned },
      {
        request: `POST /apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles`,
        body: { metadata: { name: "a" }, rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
        ...owned,
      },
      {
        request: `POST /apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings`,
        body: {
          metadata: { name: "a" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "a" },
          subjects: [{ kind: "ServiceAccount", name: "a", namespace: "{ns}" }],
        },
        ...owned,
      },
      {
        request: `POST /apis/networking.k8s.io/v1/namespaces/{ns}/ingresses`,
        body: { metadata: { name: "a" }, spec: { defaultBackend: { service: { name: "a", port: { number: 80 } } } } },
        ...owned,
      },
      {
        request: `POST /apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies`,
        body: { metadata: { name: "a" }, spec: { podSelector: { matchLabels: { app: "a" } } } },
        ...owned,
      },
      {
        request: `POST /apis/policy/v1/namespaces/{ns}/poddisruptionbudgets`,
        body: { metadata: { name: "a" }, spec: { minAvailable: 1, selector } },
        ...owned,
      },
      {
        request: `POST /apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers`,
        body: {
          metadata: { name: "a" },
          spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" } },
        },
        ...owned,
      },
      {
        request: `PATCH ${apps}/deployments/a?fieldManager=other`,
        headers: merge,
        body: { metadata: { managedFields: [{}] } },
        ...owned,
      },
      {
        request: `PATCH ${apps}/deployments/a?fieldManager=applier`,
        headers: apply,
        body: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" }, spec: { replicas: 2 } },
        ...owned,
      },
    ],
  },
};

import type { Subject } from "./subject.ts";
import { crds } from "../apiserver/custom-kind.ts";

const container = {
  name: "c",
  image: "example.com/app:1",
  ports: [{ name: "http", containerPort: 80 }],
  env: [{ name: "A", value: "1" }],
  resources: { requests: { cpu: "100m", memory: "1Gi" } },
  livenessProbe: { httpGet: { path: "/", port: "http" }, periodSeconds: 5 },
  volumeMounts: [{ name: "v", mountPath: "/v" }],
};
const podSpec = { containers: [container], volumes: [{ name: "v", emptyDir: {} }], nodeSelector: { disk: "ssd" } };
const template = { metadata: { labels: { app: "a" } }, spec: podSpec };
const selector = { matchLabels: { app: "a" } };
const rules = [{ apiGroups: ["apps"], resources: ["deployments"], verbs: ["get", "list"] }];

/** A kind whose schema uses most features of schemas. */
export const richGroup = "rich.example.com";
export const richCrd: any = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `riches.${richGroup}` },
  spec: {
    group: richGroup,
    names: { kind: "Rich", plural: "riches", singular: "rich", shortNames: ["rc"] },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: {
            specReplicasPath: ".spec.count",
            statusReplicasPath: ".status.count",
            labelSelectorPath: ".status.sel",
          },
        },
        schema: {
          openAPIV3Schema: {
            type: "object",
            required: ["spec"],
            properties: {
              spec: {
                type: "object",
                required: ["name"],
                properties: {
                  name: { type: "string", minLength: 1, maxLength: 10, pattern: "^[a-z]+$" },
                  mode: { type: "string", enum: ["On", "Off"], default: "On" },
                  count: { type: "integer", format: "int32", minimum: 0, maximum: 100 },
                  ratio: { type: "number", multipleOf: 0.5, exclusiveMinimum: true, minimum: 0 },
                  flag: { type: "boolean", default: false },
                  when: { type: "string", format: "date-time" },
                  wait: { type: "string", format: "duration" },
                  port: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
                  note: { type: "string", nullable: true },
                  tags: {
                    type: "array",
                    items: { type: "string", maxLength: 5 },
                    maxItems: 4,
                    "x-kubernetes-list-type": "set",
                  },
                  items: {
                    type: "array",
                    maxItems: 5,
                    items: {
                      type: "object",
                      required: ["key"],
                      properties: {
                        key: { type: "string" },
                        value: { type: "integer" },
                        kind: { type: "string", default: "plain" },
                      },
                    },
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["key"],
                  },
                  free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                  words: { type: "object", additionalProperties: { type: "string" }, maxProperties: 3 },
                  plain: { type: "array", items: { type: "integer" } },
                  whole: {
                    type: "object",
                    properties: { a: { type: "string" }, b: { type: "string" } },
                    "x-kubernetes-map-type": "atomic",
                  },
                  nested: {
                    type: "object",
                    properties: {
                      low: { type: "integer", default: 1 },
                      high: { type: "integer", default: 9 },
                    },
                    "x-kubernetes-validations": [
                      { rule: "self.low <= self.high", message: "low must not be above high" },
                    ],
                  },
                },
                "x-kubernetes-validations": [
                  { rule: "!has(oldSelf.when) || has(self.when)", message: "when can't be taken away" },
                ],
              },
              status: {
                type: "object",
                properties: {
                  count: { type: "integer" },
                  sel: { type: "string" },
                  phase: { type: "string", enum: ["A", "B"] },
                  conditions: {
                    type: "array",
                    items: {
                      type: "object",
                      required: ["type", "status"],
                      properties: { type: { type: "string" }, status: { type: "string" }, reason: { type: "string" } },
                    },
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["type"],
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

const rich = {
  apiVersion: `${richGroup}/v1`,
  kind: "Rich",
  metadata: { name: "a", labels: { app: "a" }, annotations: { "example.com/x": "1" } },
  spec: {
    name: "abc",
    mode: "Off",
    count: 3,
    ratio: 1.5,
    flag: true,
    when: "2026-01-02T03:04:05Z",
    wait: "5s",
    port: "http",
    note: "n",
    tags: ["x", "y"],
    items: [{ key: "k", value: 1 }, { key: "l" }],
    free: { any: { thing: [1, "2"] } },
    words: { hello: "world" },
    plain: [1, 2],
    whole: { a: "x", b: "y" },
    nested: { low: 2 },
  },
  status: { count: 1, sel: "app=a", phase: "A", conditions: [{ type: "Ready", status: "True" }] },
};

/** Its names hold the namespace, because it is cluster-scoped. */
const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.{ns}.example.com" },
  spec: {
    group: "{ns}.example.com",
    names: { kind: "Thing", plural: "things", singular: "thing", shortNames: ["th"], categories: ["all"] },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" } },
        additionalPrinterColumns: [{ name: "N", type: "integer", jsonPath: ".spec.n", priority: 1 }],
        selectableFields: [{ jsonPath: ".spec.name" }],
        schema: {
          openAPIV3Schema: {
            type: "object",
            required: ["spec"],
            properties: {
              spec: {
                type: "object",
                properties: {
                  n: { type: "integer", minimum: 0, maximum: 9, default: 1 },
                  name: { type: "string", maxLength: 20, pattern: "^a", enum: ["a", "ab"] },
                  list: {
                    type: "array",
                    maxItems: 3,
                    items: { type: "object", required: ["k"], properties: { k: { type: "string", maxLength: 5 } } },
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["k"],
                  },
                  any: { "x-kubernetes-int-or-string": true },
                  map: { type: "object", additionalProperties: { type: "string", nullable: true } },
                },
                "x-kubernetes-validations": [{ rule: "self.n < 5", message: "too many" }],
              },
              status: { type: "object", properties: { n: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
};

/** Reports whether its names are accepted and it is served, or its names are rejected. */
function isAnswered({ status }: any): boolean {
  const hasCondition = (type: string, value: string): boolean =>
    status.conditions?.some((condition: any) => condition.type === type && condition.status === value);
  return hasCondition("NamesAccepted", "False") || hasCondition("Established", "True");
}

const metadata = { name: "a", labels: { app: "a" } };

export const subjects: Readonly<Record<string, Subject>> = {
  rich: { path: `/apis/${richGroup}/v1/namespaces/{ns}/riches`, object: rich, parts: ["status"], custom: true },
  configmap: {
    path: "/api/v1/namespaces/{ns}/configmaps",
    object: { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1" }, binaryData: { b: "AQ==" } },
  },
  secret: {
    path: "/api/v1/namespaces/{ns}/secrets",
    object: { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", data: { a: "AQ==" }, stringData: { b: "c" } },
  },
  service: {
    path: "/api/v1/namespaces/{ns}/services",
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: { selector: { app: "a" }, ports: [{ name: "http", port: 80, targetPort: "http" }], type: "ClusterIP" },
    },
    parts: ["status"],
  },
  deployment: {
    path: "/apis/apps/v1/namespaces/{ns}/deployments",
    object: { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { replicas: 2, selector, template } },
    parts: ["status"],
  },
  pod: {
    path: "/api/v1/namespaces/{ns}/pods",
    object: { apiVersion: "v1", kind: "Pod", metadata, spec: podSpec },
    parts: ["status"],
  },
  role: {
    path: "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles",
    object: { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata, rules },
  },
  crd: { path: crds, object: crd, settled: isAnswered },
  serviceaccount: {
    path: "/api/v1/namespaces/{ns}/serviceaccounts",
    object: { apiVersion: "v1", kind: "ServiceAccount", metadata, imagePullSecrets: [{ name: "p" }] },
  },
  lease: {
    path: "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases",
    object: {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata,
      spec: {
        holderIdentity: "h",
        leaseDurationSeconds: 15,
        renewTime: "2026-01-02T03:04:05.000000Z",
        leaseTransitions: 0,
      },
    },
  },
  job: {
    path: "/apis/batch/v1/namespaces/{ns}/jobs",
    object: {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata,
      spec: {
        backoffLimit: 2,
        template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } },
      },
    },
    parts: ["status"],
  },
  statefulset: {
    path: "/apis/apps/v1/namespaces/{ns}/statefulsets",
    object: {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata,
      spec: { replicas: 1, serviceName: "s", selector, template },
    },
  },
  ingress: {
    path: "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses",
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata,
      spec: {
        rules: [
          {
            host: "example.com",
            http: {
              paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } }],
            },
          },
        ],
      },
    },
  },
  budget: {
    path: "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
    object: { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata, spec: { minAvailable: 1, selector } },
  },
};

import { on } from "../../apply-requests.ts";
import { customKind, schemaOf } from "../../custom-kind.ts";
import { apply, merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { GET, PATCH, POST } from "../../requests.ts";
import { deployments } from "../../steps.ts";

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
const matchLabels = { app: "a" };
const deployment = (spec: object, name = "a"): unknown => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    selector: { matchLabels },
    template: { metadata: { labels: matchLabels }, spec: { containers: [{ name: "c", image: "i" }] } },
    ...spec,
  },
});
const applyScale = (path: string, manager: string, spec: object, query = ""): RequestStep =>
  PATCH(`${path}/scale?fieldManager=${manager}${query}`, apply, {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { name: path.slice(-1) },
    spec,
  });
const scaled = customKind("apply-scaled", {
  schema: { openAPIV3Schema: schemaOf({ n: { type: "integer" } }) },
  subresources: { status: {}, scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" } },
});
const bringing = customKind("apply-brought", {
  schema: { openAPIV3Schema: schemaOf({ n: { type: "integer" } }) },
  subresources: { status: {} },
});
const brought = (fieldsV1: unknown, more: Record<string, unknown> = {}) => ({
  manager: "one",
  operation: "Update",
  apiVersion: "v1",
  time: "2020-01-01T00:00:00Z",
  fieldsType: "FieldsV1",
  fieldsV1,
  ...more,
});
const ownA = { "f:data": { ".": {}, "f:a": {} } };
const ownMore = { "f:data": { "f:a": {}, "f:gone": {} } };

/** The managedFields of another object, which a new one brings. */
const broughtFields: readonly unknown[] = [
  [],
  [{}],
  [brought(ownA)],
  [brought(ownMore)],
  [brought(ownMore, { manager: "two" }), brought(ownA, { manager: "three", operation: "Apply" })],
  [brought(ownMore, { operation: "Apply" })],
  [brought({ "f:status": { "f:x": {} } }, { manager: "two", subresource: "status" })],
  [brought(ownMore, { operation: "Other" })],
  [brought(ownMore, { fieldsType: "Other" })],
  [brought(ownMore, { apiVersion: "v9" })],
  [brought(ownMore, { apiVersion: "apps/v1" })],
  [brought(ownMore), {}],
  [brought(undefined)],
];

export const scenarios: Scenarios = {
  "apply-scale": {
    managedFields: true,
    steps: [
      PATCH(`${deployments}/a?fieldManager=author`, apply, deployment({ replicas: 2 })),
      applyScale(`${deployments}/a`, "scaler", { replicas: 4 }),
      applyScale(`${deployments}/a`, "scaler", { replicas: 4 }, "&force=true"),
      GET(`${deployments}/a`),
      applyScale(`${deployments}/a`, "scaler", { replicas: 5 }),
      PATCH(`${deployments}/a?fieldManager=author`, apply, deployment({ replicas: 2 })),
      PATCH(`${deployments}/a?fieldManager=author`, apply, deployment({})),
      applyScale(`${deployments}/a`, "another", { replicas: 6 }),
      applyScale(`${deployments}/a`, "another", { replicas: 5 }),
      GET(`${deployments}/a`),
      applyScale(`${deployments}/a`, "scaler", { replicas: -1 }, "&force=true"),
      applyScale(`${deployments}/a`, "scaler", { replicas: "x" }, "&force=true"),
      applyScale(`${deployments}/a`, "scaler", { replicas: 5, unknown: 1 }, "&force=true"),
      {
        ...applyScale(`${deployments}/a`, "scaler", {}, "&force=true"),
        body: {
          apiVersion: "autoscaling/v1",
          kind: "Scale",
          metadata: { name: "a", resourceVersion: "1" },
          spec: { replicas: 7 },
        },
      },
      applyScale(`${deployments}/a`, "scaler", { replicas: 7 }, "&force=true&dryRun=All"),
      applyScale(`${deployments}/a`, "scaler", {}),
      GET(`${deployments}/a`),
      PATCH(`${deployments}/a/scale?fieldManager=patcher`, merge, { spec: { replicas: 8 } }),
      GET(`${deployments}/a`),
      PATCH(`${deployments}/b?fieldManager=author`, apply, deployment({}, "b")),
      applyScale(`${deployments}/b`, "scaler", { replicas: 4 }),
      applyScale(`${deployments}/b`, "scaler", { replicas: 1 }),
      GET(`${deployments}/b`),
      ...scaled.install,
      PATCH(`${scaled.path}/a?fieldManager=author`, apply, scaled.object("a", { spec: { n: 2 } })),
      applyScale(`${scaled.path}/a`, "scaler", { replicas: 2 }),
      GET(`${scaled.path}/a`),
    ],
  },
  "brought-managers": {
    managedFields: true,
    steps: [
      ...broughtFields.map((managedFields, index) =>
        POST("/api/v1/namespaces/{ns}/configmaps?fieldManager=one", {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: `m${index}`, managedFields },
          data: { a: "1" },
        }),
      ),
      ...bringing.install,
      ...["apply-brought.example.com/v1", "apply-brought.example.com/v9"].map((apiVersion, index) =>
        on(bringing).post(`a${index}`, {
          metadata: {
            name: `a${index}`,
            managedFields: [
              brought({ "f:spec": { "f:n": {}, "f:gone": {} } }, { manager: "two", apiVersion }),
              brought({ "f:status": { "f:n": {} } }, { manager: "three", apiVersion, subresource: "status" }),
            ],
          },
          spec: { n: 1 },
          status: { n: 1 },
        }),
      ),
    ],
  },

  "apply-last-applied": [
    POST("/api/v1/namespaces/{ns}/configmaps?fieldManager=kubectl-client-side-apply", {
      metadata: { name: "a", annotations: { [lastApplied]: "{}" } },
      data: { a: "1" },
    }),
    PATCH("/api/v1/namespaces/{ns}/configmaps/a?fieldManager=kubectl&force=true", apply, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a" },
      data: { 9: "nine", 10: "ten", a: "<b> & c" },
    }),
  ],
};

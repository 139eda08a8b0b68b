import { customKind, schemaOf } from "../../custom-kind.ts";
import { apply, jsonPatch, merge, strategic, type Scenario } from "../../scenario.ts";

const kind = (name: string) =>
  customKind(name, {
    schema: {
      openAPIV3Schema: schemaOf({
        x: { type: "string" },
        n: { type: "integer", default: 1, minimum: 0 },
        list: { type: "array", items: { type: "integer" } },
      }),
    },
    subresources: {
      status: {},
      scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n", labelSelectorPath: ".status.sel" },
    },
  });
const [put, zero, meta, status, scale, patching] = ["put", "zero", "meta", "status", "scale", "patching"].map(kind);
const [a, m, s, c, p] = [put, meta, status, scale, patching].map((each) => `${each!.path}/a`);
const start = (each: typeof put, fields: Record<string, unknown> = {}) => [
  ...each!.install,
  {
    request: `POST ${each!.path}`,
    body: each!.object("a", { spec: { x: "1" }, ...fields }),
    save: { rv: "metadata.resourceVersion", uid: "metadata.uid" },
    unrecorded: true,
  },
];
const versioned = (fields: Record<string, unknown> = {}) => ({ name: "a", resourceVersion: "{rv}", ...fields });

export const scenarios: readonly Scenario[] = [
  {
    name: "put",
    steps: [
      ...start(put),
      { request: `PUT ${a}`, body: put!.object("a", { spec: { x: "2" } }) },
      { request: `PUT ${a}`, body: put!.object("a", { metadata: versioned(), spec: { x: "1" } }) },
      {
        request: `PUT ${a}`,
        body: put!.object("a", { metadata: versioned({ resourceVersion: "1" }), spec: { x: "2" } }),
      },
      { request: `PUT ${a}`, body: put!.object("a", { metadata: versioned({ resourceVersion: "garbage" }) }) },
      { request: `PUT ${a}`, body: put!.object("b", { metadata: { name: "b", resourceVersion: "{rv}" } }) },
      { request: `PUT ${a}`, body: put!.object("a", { metadata: versioned({ namespace: "other" }) }) },
      {
        request: `PUT ${a}`,
        body: put!.object("a", { metadata: versioned({ uid: "11111111-1111-4111-8111-111111111111" }) }),
      },
      {
        request: `PUT ${put!.path}/none`,
        body: put!.object("none", { metadata: { name: "none", resourceVersion: "1" } }),
      },
      { request: `PUT ${put!.path}/none`, body: put!.object("none") },
      { request: `PUT ${a}?dryRun=All`, body: put!.object("a", { metadata: versioned(), spec: { x: "dry" } }) },
      { request: `PUT ${a}`, body: put!.object("a", { metadata: versioned(), spec: { x: "2" } }) },
      { request: `PUT ${a}`, body: put!.object("a", { metadata: versioned(), spec: { x: "3" } }) },
    ],
  },
  {
    name: "version-zero",
    steps: [
      ...start(zero),
      ...[
        ["/api/v1/namespaces/{ns}/configmaps", "v1", "ConfigMap"],
        ["/apis/coordination.k8s.io/v1/namespaces/{ns}/leases", "coordination.k8s.io/v1", "Lease"],
        [zero!.path, "zero.example.com/v1", "Thing"],
      ].flatMap(([path = "", apiVersion, kind]) => {
        const body = { apiVersion, kind, metadata: { name: "a", resourceVersion: "0", labels: { a: "b" } } };
        const patch = { metadata: { resourceVersion: "0", labels: { a: "c" } } };
        const preconditions = { resourceVersion: "0" };
        return [
          { request: `POST ${path}`, body: { ...body, metadata: { name: "a" } }, unrecorded: true },
          { request: `PUT ${path}/a`, body },
          { request: `PUT ${path}/a`, body: { ...body, metadata: { ...body.metadata, resourceVersion: "00" } } },
          { request: `PATCH ${path}/a`, headers: merge, body: patch },
          { request: `PATCH ${path}/a?fieldManager=m&force=true`, headers: apply, body },
          { request: `DELETE ${path}/a`, body: { apiVersion: "v1", kind: "DeleteOptions", preconditions } },
        ];
      }),
    ],
  },
  {
    name: "meta",
    steps: [
      ...start(meta),
      {
        request: `PATCH ${m}`,
        headers: merge,
        body: { metadata: { creationTimestamp: "2001-01-01T00:00:00Z", generation: 77 } },
      },
      { request: `PATCH ${m}`, headers: merge, body: { metadata: { deletionTimestamp: "2001-01-01T00:00:00Z" } } },
      { request: `PATCH ${m}`, headers: merge, body: { metadata: { deletionGracePeriodSeconds: 3 } } },
      { request: `PATCH ${m}`, headers: merge, body: { metadata: { uid: "11111111-1111-4111-8111-111111111111" } } },
      { request: `PATCH ${m}`, headers: merge, body: { metadata: { name: "b" } } },
      { request: `PATCH ${m}`, headers: merge, body: { metadata: { namespace: "b" } } },
      { request: `PATCH ${m}`, headers: merge, body: { metadata: { labels: { a: "b" } } } },
      { request: `PATCH ${m}`, headers: merge, body: { metadata: { labels: { a: null } }, spec: { x: "new" } } },
      { request: `PATCH ${m}`, headers: merge, body: { kind: "Other" } },
      { request: `PATCH ${m}`, headers: merge, body: { apiVersion: "meta.example.com/v2" } },
    ],
  },
  {
    name: "status",
    steps: [
      ...start(status),
      { request: `PATCH ${s}`, headers: merge, body: { status: { p: 1 }, spec: { x: "2" } } },
      {
        request: `PATCH ${s}/status`,
        headers: merge,
        body: {
          status: { p: 1 },
          spec: { x: "3" },
          metadata: { labels: { a: "b" }, annotations: { a: "b" }, finalizers: ["a.b/c"] },
        },
      },
      { request: `GET ${s}/status`, save: { rv: "metadata.resourceVersion" } },
      {
        request: `PUT ${s}/status`,
        body: status!.object("a", { metadata: versioned({ labels: { z: "y" } }), spec: { x: "9" }, status: { p: 2 } }),
      },
      { request: `PUT ${s}/status`, body: status!.object("a", { metadata: versioned(), status: { p: 3 } }) },
      { request: `PUT ${s}/status`, body: status!.object("a", { status: { p: 3 } }) },
      { request: `PATCH ${s}/status`, headers: merge, body: { status: null } },
      { request: `PATCH ${s}/nothing`, headers: merge, body: {} },
      { request: `DELETE ${s}/status` },
      { request: `POST ${s}/status`, body: {} },
    ],
  },
  {
    name: "scale",
    steps: [
      ...start(scale),
      { request: `GET ${c}/scale`, save: { rv: "metadata.resourceVersion" } },
      { request: `PATCH ${c}/status`, headers: merge, body: { status: { n: 3, sel: "a=b" } } },
      { request: `GET ${c}/scale` },
      { request: `PATCH ${c}/scale`, headers: merge, body: { spec: { replicas: 4 } } },
      {
        request: `PUT ${c}/scale`,
        body: {
          kind: "Scale",
          apiVersion: "autoscaling/v1",
          metadata: { name: "a", namespace: "{ns}" },
          spec: { replicas: 5 },
        },
      },
      {
        request: `PUT ${c}/scale`,
        body: {
          kind: "Scale",
          apiVersion: "autoscaling/v1",
          metadata: { name: "a", namespace: "{ns}", resourceVersion: "{rv}" },
          spec: { replicas: 5 },
        },
      },
      { request: `PATCH ${c}/scale`, headers: merge, body: { spec: { replicas: -1 } } },
      { request: `PATCH ${c}/scale`, headers: merge, body: { spec: { replicas: 0 } } },
      { request: `PATCH ${c}/scale`, headers: merge, body: { spec: { replicas: "x" } } },
      { request: `GET ${c}` },
    ],
  },
  {
    name: "patching",
    steps: [
      ...start(patching, { spec: { x: "1", list: [1, 2, 3] } }),
      { request: `PATCH ${p}`, headers: merge, body: { metadata: { resourceVersion: "1" }, spec: { x: "2" } } },
      { request: `PATCH ${p}`, headers: merge, body: { metadata: { resourceVersion: "garbage" }, spec: { x: "2" } } },
      { request: `PATCH ${p}`, headers: merge, body: { metadata: { resourceVersion: "{rv}" }, spec: { x: "2" } } },
      { request: `PATCH ${p}`, headers: merge, body: { spec: { n: 5 } } },
      { request: `PATCH ${p}`, headers: merge, body: { spec: { n: null } } },
      { request: `PATCH ${p}`, headers: merge, body: "[1]" },
      { request: `PATCH ${p}`, headers: merge, body: "{" },
      { request: `PATCH ${p}`, headers: merge, body: "null" },
      { request: `PATCH ${p}?force=true`, headers: merge, body: {} },
      { request: `PATCH ${p}?dryRun=x`, headers: merge, body: {} },
      { request: `PATCH ${p}`, headers: strategic, body: { spec: { x: "s" } } },
      { request: `PATCH ${p}`, headers: { "content-type": "application/json" }, body: {} },
      { request: `PATCH ${p}`, headers: jsonPatch, body: [{ op: "replace", path: "/spec/x", value: "j" }] },
      { request: `PATCH ${p}`, headers: jsonPatch, body: [{ op: "test", path: "/spec/x", value: "no" }] },
      { request: `PATCH ${p}`, headers: jsonPatch, body: [{ op: "test", path: "/spec/none", value: null }] },
      { request: `PATCH ${p}`, headers: jsonPatch, body: [{ op: "remove", path: "/spec/none" }] },
      { request: `PATCH ${p}`, headers: jsonPatch, body: [{ op: "remove", path: "/spec/list/-1" }] },
      { request: `PATCH ${p}`, headers: jsonPatch, body: [{ op: "add", path: "/spec/list/9", value: 1 }] },
      { request: `PATCH ${p}`, headers: jsonPatch, body: [{ op: "add", path: "/spec/list/-", value: 9 }] },
      { request: `PATCH ${p}`, headers: jsonPatch, body: [{ op: "add", path: "/no/where", value: 9 }] },
      {
        request: `PATCH ${p}`,
        headers: jsonPatch,
        body: [{ op: "replace", path: "/metadata/labels", value: { q: "r" } }],
      },
      {
        request: `PATCH ${p}`,
        headers: jsonPatch,
        body: [{ op: "copy", from: "/spec/x", path: "/metadata/labels/x" }],
      },
      {
        request: `PATCH ${p}`,
        headers: jsonPatch,
        body: [{ op: "copy", from: "/spec/zz", path: "/metadata/labels/x" }],
      },
      {
        request: `PATCH ${p}`,
        headers: jsonPatch,
        body: [{ op: "move", from: "/spec/x", path: "/metadata/labels/y" }],
      },
      { request: `PATCH ${p}`, headers: jsonPatch, body: [{ op: "bogus", path: "/spec/x" }] },
      { request: `PATCH ${p}`, headers: jsonPatch, body: [{ op: "add", path: "spec/x", value: "1" }] },
      { request: `PATCH ${p}`, headers: jsonPatch, body: [] },
      { request: `PATCH ${p}`, headers: jsonPatch, body: "{}" },
      { request: `PATCH ${p}`, headers: jsonPatch, body: "null" },
      { request: `PATCH ${patching!.path}`, headers: merge, body: {} },
    ],
  },
];

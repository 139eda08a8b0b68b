import { customKind, schemaOf, type CustomKind } from "../../custom-kind.ts";
import { apply, jsonPatch, merge, strategic, type Scenarios } from "../../scenario.ts";
import { DELETE, GET, PATCH, POST, PUT } from "../../requests.ts";

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
const [put, zero, meta] = [kind("put"), kind("zero"), kind("meta")];
const [status, scale, patching] = [kind("status"), kind("scale"), kind("patching")];
const pathOf = (each: CustomKind): string => `${each.path}/a`;
const [a, m, s] = [pathOf(put), pathOf(meta), pathOf(status)];
const [c, p] = [pathOf(scale), pathOf(patching)];
const start = (each: CustomKind, fields: Record<string, unknown> = {}) => [
  ...each.install,
  POST(each.path, each.object("a", { spec: { x: "1" }, ...fields }), {
    save: { rv: "metadata.resourceVersion", uid: "metadata.uid" },
    unrecorded: true,
  }),
];
const versioned = (fields: Record<string, unknown> = {}) => ({ name: "a", resourceVersion: "{rv}", ...fields });

export const scenarios: Scenarios = {
  put: [
    ...start(put),
    PUT(a, put.object("a", { spec: { x: "2" } })),
    PUT(a, put.object("a", { metadata: versioned(), spec: { x: "1" } })),
    PUT(a, put.object("a", { metadata: versioned({ resourceVersion: "1" }), spec: { x: "2" } })),
    PUT(a, put.object("a", { metadata: versioned({ resourceVersion: "garbage" }) })),
    PUT(a, put.object("b", { metadata: { name: "b", resourceVersion: "{rv}" } })),
    PUT(a, put.object("a", { metadata: versioned({ namespace: "other" }) })),
    PUT(a, put.object("a", { metadata: versioned({ uid: "11111111-1111-4111-8111-111111111111" }) })),
    PUT(`${put.path}/none`, put.object("none", { metadata: { name: "none", resourceVersion: "1" } })),
    PUT(`${put.path}/none`, put.object("none")),
    PUT(`${a}?dryRun=All`, put.object("a", { metadata: versioned(), spec: { x: "dry" } })),
    PUT(a, put.object("a", { metadata: versioned(), spec: { x: "2" } })),
    PUT(a, put.object("a", { metadata: versioned(), spec: { x: "3" } })),
  ],
  "version-zero": [
    ...start(zero),
    ...[
      ["/api/v1/namespaces/{ns}/configmaps", "v1", "ConfigMap"],
      ["/apis/coordination.k8s.io/v1/namespaces/{ns}/leases", "coordination.k8s.io/v1", "Lease"],
      [zero.path, "zero.example.com/v1", "Thing"],
    ].flatMap(([path = "", apiVersion, kind]) => {
      const body = { apiVersion, kind, metadata: { name: "a", resourceVersion: "0", labels: { a: "b" } } };
      const patch = { metadata: { resourceVersion: "0", labels: { a: "c" } } };
      const preconditions = { resourceVersion: "0" };
      return [
        POST(path, { ...body, metadata: { name: "a" } }, { unrecorded: true }),
        PUT(`${path}/a`, body),
        PUT(`${path}/a`, { ...body, metadata: { ...body.metadata, resourceVersion: "00" } }),
        PATCH(`${path}/a`, merge, patch),
        PATCH(`${path}/a?fieldManager=m&force=true`, apply, body),
        DELETE(`${path}/a`, { body: { apiVersion: "v1", kind: "DeleteOptions", preconditions } }),
      ];
    }),
  ],
  meta: [
    ...start(meta),
    PATCH(m, merge, { metadata: { creationTimestamp: "2001-01-01T00:00:00Z", generation: 77 } }),
    PATCH(m, merge, { metadata: { deletionTimestamp: "2001-01-01T00:00:00Z" } }),
    PATCH(m, merge, { metadata: { deletionGracePeriodSeconds: 3 } }),
    PATCH(m, merge, { metadata: { uid: "11111111-1111-4111-8111-111111111111" } }),
    PATCH(m, merge, { metadata: { name: "b" } }),
    PATCH(m, merge, { metadata: { namespace: "b" } }),
    PATCH(m, merge, { metadata: { labels: { a: "b" } } }),
    PATCH(m, merge, { metadata: { labels: { a: null } }, spec: { x: "new" } }),
    PATCH(m, merge, { kind: "Other" }),
    PATCH(m, merge, { apiVersion: "meta.example.com/v2" }),
  ],
  status: [
    ...start(status),
    PATCH(s, merge, { status: { p: 1 }, spec: { x: "2" } }),
    PATCH(`${s}/status`, merge, {
      status: { p: 1 },
      spec: { x: "3" },
      metadata: { labels: { a: "b" }, annotations: { a: "b" }, finalizers: ["a.b/c"] },
    }),
    GET(`${s}/status`, { save: { rv: "metadata.resourceVersion" } }),
    PUT(
      `${s}/status`,
      status.object("a", { metadata: versioned({ labels: { z: "y" } }), spec: { x: "9" }, status: { p: 2 } }),
    ),
    PUT(`${s}/status`, status.object("a", { metadata: versioned(), status: { p: 3 } })),
    PUT(`${s}/status`, status.object("a", { status: { p: 3 } })),
    PATCH(`${s}/status`, merge, { status: null }),
    PATCH(`${s}/nothing`, merge, {}),
    DELETE(`${s}/status`),
    POST(`${s}/status`, {}),
  ],
  scale: [
    ...start(scale),
    GET(`${c}/scale`, { save: { rv: "metadata.resourceVersion" } }),
    PATCH(`${c}/status`, merge, { status: { n: 3, sel: "a=b" } }),
    GET(`${c}/scale`),
    PATCH(`${c}/scale`, merge, { spec: { replicas: 4 } }),
    PUT(`${c}/scale`, {
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: { name: "a", namespace: "{ns}" },
      spec: { replicas: 5 },
    }),
    PUT(`${c}/scale`, {
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: { name: "a", namespace: "{ns}", resourceVersion: "{rv}" },
      spec: { replicas: 5 },
    }),
    PATCH(`${c}/scale`, merge, { spec: { replicas: -1 } }),
    PATCH(`${c}/scale`, merge, { spec: { replicas: 0 } }),
    PATCH(`${c}/scale`, merge, { spec: { replicas: "x" } }),
    GET(c),
  ],
  patching: [
    ...start(patching, { spec: { x: "1", list: [1, 2, 3] } }),
    PATCH(p, merge, { metadata: { resourceVersion: "1" }, spec: { x: "2" } }),
    PATCH(p, merge, { metadata: { resourceVersion: "garbage" }, spec: { x: "2" } }),
    PATCH(p, merge, { metadata: { resourceVersion: "{rv}" }, spec: { x: "2" } }),
    PATCH(p, merge, { spec: { n: 5 } }),
    PATCH(p, merge, { spec: { n: null } }),
    PATCH(p, merge, "[1]"),
    PATCH(p, merge, "{"),
    PATCH(p, merge, "null"),
    PATCH(`${p}?force=true`, merge, {}),
    PATCH(`${p}?dryRun=x`, merge, {}),
    PATCH(p, strategic, { spec: { x: "s" } }),
    PATCH(p, { "content-type": "application/json" }, {}),
    PATCH(p, jsonPatch, [{ op: "replace", path: "/spec/x", value: "j" }]),
    PATCH(p, jsonPatch, [{ op: "test", path: "/spec/x", value: "no" }]),
    PATCH(p, jsonPatch, [{ op: "test", path: "/spec/none", value: null }]),
    PATCH(p, jsonPatch, [{ op: "remove", path: "/spec/none" }]),
    PATCH(p, jsonPatch, [{ op: "remove", path: "/spec/list/-1" }]),
    PATCH(p, jsonPatch, [{ op: "add", path: "/spec/list/9", value: 1 }]),
    PATCH(p, jsonPatch, [{ op: "add", path: "/spec/list/-", value: 9 }]),
    PATCH(p, jsonPatch, [{ op: "add", path: "/no/where", value: 9 }]),
    PATCH(p, jsonPatch, [{ op: "replace", path: "/metadata/labels", value: { q: "r" } }]),
    PATCH(p, jsonPatch, [{ op: "copy", from: "/spec/x", path: "/metadata/labels/x" }]),
    PATCH(p, jsonPatch, [{ op: "copy", from: "/spec/zz", path: "/metadata/labels/x" }]),
    PATCH(p, jsonPatch, [{ op: "move", from: "/spec/x", path: "/metadata/labels/y" }]),
    PATCH(p, jsonPatch, [{ op: "bogus", path: "/spec/x" }]),
    PATCH(p, jsonPatch, [{ op: "add", path: "spec/x", value: "1" }]),
    PATCH(p, jsonPatch, []),
    PATCH(p, jsonPatch, "{}"),
    PATCH(p, jsonPatch, "null"),
    PATCH(patching.path, merge, {}),
  ],
};

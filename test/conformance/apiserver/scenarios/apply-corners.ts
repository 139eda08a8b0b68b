import { customKind, schemaOf } from "../custom-kind.ts";
import { apply, merge, type RequestStep, type Scenario } from "../scenario.ts";

type Kind = ReturnType<typeof customKind>;

const on = (kind: Kind, version = "v1") => ({
  apply: (name: string, manager: string, fields: Record<string, unknown>, query = ""): RequestStep => ({
    request: `PATCH ${kind.path.replace("/v1/", `/${version}/`)}/${name}?fieldManager=${manager}${query}`,
    headers: apply,
    body: { ...kind.object(name, fields), apiVersion: `${kind.crd.spec.group}/${version}`, ...fields },
  }),
  patch: (name: string, manager: string, body: unknown): RequestStep => ({
    request: `PATCH ${kind.path.replace("/v1/", `/${version}/`)}/${name}?fieldManager=${manager}`,
    headers: merge,
    body,
  }),
  post: (name: string, fields: Record<string, unknown>, query = ""): RequestStep => ({
    request: `POST ${kind.path.replace("/v1/", `/${version}/`)}${query}`,
    body: { ...kind.object(name, fields), apiVersion: `${kind.crd.spec.group}/${version}`, ...fields },
  }),
  get: (name: string): RequestStep => ({ request: `GET ${kind.path.replace("/v1/", `/${version}/`)}/${name}` }),
});

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
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
const applyScale = (path: string, manager: string, spec: object, query = ""): RequestStep => ({
  request: `PATCH ${path}/scale?fieldManager=${manager}${query}`,
  headers: apply,
  body: { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: path.slice(-1) }, spec },
});
const text = { type: "string" };
const texts = { type: "object", additionalProperties: text };
const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: "object",
  properties,
  ...more,
});
const schema = (spec: unknown, more: Record<string, unknown> = {}) => ({
  schema: { openAPIV3Schema: object({ spec, ...more }) },
});
const list = (items: unknown, more: Record<string, unknown> = {}) => ({ type: "array", items, ...more });
const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

const scaled = customKind("apply-scaled", {
  schema: { openAPIV3Schema: schemaOf({ n: { type: "integer" } }) },
  subresources: { status: {}, scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" } },
});

const intOrString = { "x-kubernetes-int-or-string": true };
const either = customKind(
  "apply-either",
  schema(
    object({
      port: intOrString,
      ports: { type: "object", additionalProperties: intOrString },
      date: { ...text, format: "date" },
    }),
  ),
);
const amount = (cpu: unknown): RequestStep => ({
  request: "PATCH /api/v1/namespaces/{ns}/pods/a?fieldManager=one",
  headers: apply,
  body: {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a" },
    spec: { containers: [{ name: "c", image: "i", resources: { limits: { cpu } } }] },
  },
});

const nested = customKind(
  "apply-nested",
  schema(
    object({
      metadata: texts,
      triggers: list(object({ metadata: texts })),
      bare: object({ metadata: { type: "object" } }),
      some: object({ metadata: object({ labels: texts }) }),
      resource: {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
      },
    }),
  ),
);

const pruned = customKind(
  "apply-pruned",
  schema(
    object({
      bare: list({ type: "object" }),
      atomic: list(object({ a: text, deep: { type: "object" } })),
      keyed: list(object({ name: text, deep: { type: "object" } }, { required: ["name"] }), {
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
      }),
      map: { type: "object" },
      maps: { type: "object", additionalProperties: { type: "object" } },
      free,
      inFree: { ...free, properties: { known: { type: "object" }, closed: object({ a: text }) } },
    }),
  ),
);

const nulls = customKind(
  "apply-nulls",
  schema(
    object({
      s: text,
      n: { type: "integer" },
      d: { ...text, default: "d" },
      may: { ...text, nullable: true },
      o: object({ s: text }),
      l: list(text),
      objects: list(object({ s: text, may: { ...text, nullable: true } })),
      map: texts,
      free,
      untyped: { "x-kubernetes-preserve-unknown-fields": true },
    }),
    { free, open: { ...free, properties: { s: text } } },
  ),
);
const nullSpecs: Record<string, unknown> = {
  s: { s: null },
  n: { n: null },
  d: { d: null },
  may: { may: null },
  o: { o: null },
  os: { o: { s: null } },
  l: { l: null },
  li: { l: [null] },
  los: { objects: [{ s: null, may: null }, null] },
  map: { map: { k: null } },
  free: { free: null, untyped: null },
  "in-free": { free: { a: null } },
};

const shared = customKind(
  "apply-shared",
  schema(
    object({
      x: text,
      y: text,
      deep: object({ a: text, b: text }),
      map: texts,
      set: list(text, { "x-kubernetes-list-type": "set" }),
      ports: list(object({ port: { type: "integer" }, name: text, more: text }, { required: ["port"] }), {
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["port"],
      }),
    }),
  ),
);
const both = {
  spec: {
    x: "1",
    deep: { a: "1", b: "1" },
    map: { k: "1", "a<b>&c": "2" },
    set: ["a", "b<c>&d"],
    ports: [{ port: 1, name: "one" }, { port: 2 }],
  },
};

const twoVersions = (name: string) =>
  customKind(
    name,
    {},
    {
      versions: ["v1", "v2"].map((version) => ({
        name: version,
        served: true,
        storage: version === "v1",
        schema: { openAPIV3Schema: object({ spec: object({ x: text, y: text, [version]: text }), status: free }) },
        subresources: { status: {} },
      })),
    },
  );
const versions = twoVersions("apply-two-versions");

const status = customKind("apply-status", {
  ...schema(object({ x: text }), {
    status: object({ phase: { ...text, default: "New" }, n: { type: "integer" } }, { default: {} }),
  }),
  subresources: { status: {} },
});
const plainStatus = customKind(
  "apply-plain-status",
  schema(object({ x: { ...text, default: "x" } }, { default: {} }), {
    status: object({ phase: { ...text, default: "New" } }, { default: {} }),
  }),
);

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

export const applyCornerScenarios: readonly Scenario[] = [
  {
    name: "apply-scale",
    managedFields: true,
    steps: [
      { request: `PATCH ${deployments}/a?fieldManager=author`, headers: apply, body: deployment({ replicas: 2 }) },
      applyScale(`${deployments}/a`, "scaler", { replicas: 4 }),
      applyScale(`${deployments}/a`, "scaler", { replicas: 4 }, "&force=true"),
      { request: `GET ${deployments}/a` },
      applyScale(`${deployments}/a`, "scaler", { replicas: 5 }),
      { request: `PATCH ${deployments}/a?fieldManager=author`, headers: apply, body: deployment({ replicas: 2 }) },
      { request: `PATCH ${deployments}/a?fieldManager=author`, headers: apply, body: deployment({}) },
      applyScale(`${deployments}/a`, "another", { replicas: 6 }),
      applyScale(`${deployments}/a`, "another", { replicas: 5 }),
      { request: `GET ${deployments}/a` },
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
      { request: `GET ${deployments}/a` },
      { request: `PATCH ${deployments}/a/scale?fieldManager=patcher`, headers: merge, body: { spec: { replicas: 8 } } },
      { request: `GET ${deployments}/a` },
      { request: `PATCH ${deployments}/b?fieldManager=author`, headers: apply, body: deployment({}, "b") },
      applyScale(`${deployments}/b`, "scaler", { replicas: 4 }),
      applyScale(`${deployments}/b`, "scaler", { replicas: 1 }),
      { request: `GET ${deployments}/b` },
      ...scaled.install,
      {
        request: `PATCH ${scaled.path}/a?fieldManager=author`,
        headers: apply,
        body: scaled.object("a", { spec: { n: 2 } }),
      },
      applyScale(`${scaled.path}/a`, "scaler", { replicas: 2 }),
      { request: `GET ${scaled.path}/a` },
    ],
  },
  {
    name: "brought-managers",
    managedFields: true,
    steps: [
      ...broughtFields.map((managedFields, index) => ({
        request: "POST /api/v1/namespaces/{ns}/configmaps?fieldManager=one",
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `m${index}`, managedFields }, data: { a: "1" } },
      })),
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
  {
    name: "apply-version-types",
    steps: [true, 5, [], {}, "a", "A b", "-1", "1.5"].flatMap((resourceVersion) =>
      ["", "&dryRun=All"].map((query) => ({
        request: `PATCH /api/v1/namespaces/{ns}/configmaps/a?fieldManager=one${query}`,
        headers: apply,
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", resourceVersion } },
      })),
    ),
  },
  {
    name: "apply-int-or-string",
    managedFields: true,
    steps: [
      ...either.install,
      ...[{ a: "b" }, ["a"], true, 1, "1"].flatMap((value) => [
        on(either).apply("a", "one", { spec: { port: value } }),
        on(either).apply("a", "one", { spec: { ports: { k: value } } }),
        on(either).apply("a", "one", { spec: { date: value } }),
      ]),
      amount({ a: "b" }),
      amount(["a"]),
    ],
  },
  {
    name: "apply-nested",
    managedFields: true,
    steps: [
      ...nested.install,
      on(nested).apply("a", "one", { spec: { metadata: { k: "v" }, triggers: [{ metadata: { q: "1" } }] } }),
      on(nested).apply("a", "two", { spec: { metadata: { l: "w" } } }),
      on(nested).apply("b", "one", { spec: { bare: { metadata: { labels: { a: "b" }, other: { x: 1 } } } } }),
      on(nested).apply("c", "one", { spec: { some: { metadata: { labels: { a: "b" } } } } }),
      on(nested).apply("c", "two", { spec: { some: { metadata: { other: "x" } } } }),
      on(nested).apply("d", "one", {
        spec: {
          resource: { apiVersion: "v1", kind: "Pod", metadata: { name: "p", labels: { a: "b" } }, data: { x: 1 } },
        },
      }),
      on(nested).apply("d", "two", { spec: { resource: { metadata: { nope: "x" } } } }),
    ],
  },
  {
    name: "apply-pruned",
    managedFields: true,
    steps: [
      ...pruned.install,
      on(pruned).apply("a", "one", { spec: { bare: [{ a: "1", b: { c: 1 } }, {}] } }),
      on(pruned).apply("b", "one", { spec: { atomic: [{ a: "1", deep: { c: 1 } }] } }),
      on(pruned).apply("c", "one", { spec: { keyed: [{ name: "1", deep: { c: 1 } }] } }),
      on(pruned).apply("d", "one", { spec: { map: { c: 1, d: { e: 1 } } } }),
      on(pruned).apply("e", "one", { spec: { maps: { k: { c: 1 } } } }),
      on(pruned).apply("f", "one", { spec: { free: { c: 1, d: { e: 1 } } } }),
      on(pruned).apply("g", "one", { spec: { inFree: { c: 1, known: { c: 1 }, closed: { a: "1", b: 1 } } } }),
      ...["a", "b", "c", "d"].map((name) => on(pruned).apply(name, "two", { spec: { map: { e: "2" } } })),
      on(pruned).apply("d", "one", { spec: { map: { c: 1 } } }, "&fieldValidation=Strict"),
      on(pruned).apply("d", "one", { spec: { map: { c: 1 } } }),
      on(pruned).apply("h", "one", { spec: { nope: 1 } }),
      on(pruned).apply("i", "one", { spec: { keyed: [{ name: "a<b>&c", deep: { c: 1 } }] } }),
      on(pruned).apply("i", "two", { spec: { keyed: [{ name: "a<b>&c", deep: { c: 2 } }] } }),
      on(pruned).post("j", { spec: { keyed: [{ name: "a<b>&c\u2028" }], maps: { "a<b": {} } } }),
      ...[{}, { a: "x" }, [1, "x", { a: null }], 1.5, true].map((name) =>
        on(pruned).apply("k", "one", { spec: { keyed: [{ name }] } }),
      ),
    ],
  },
  {
    name: "apply-nulls",
    managedFields: true,
    steps: [
      ...nulls.install,
      ...Object.entries(nullSpecs).flatMap(([name, spec]) => [
        on(nulls).apply(`apply-${name}`, "one", { spec }),
        on(nulls).post(`post-${name}`, { spec }),
      ]),
      on(nulls).post("patched", { spec: { s: "x", may: "x", d: "x", map: { k: "v" } } }),
      ...Object.values(nullSpecs).map((spec) => on(nulls).apply("patched", "one", { spec }, "&force=true")),
      ...Object.values(nullSpecs).map((spec): RequestStep => ({
        request: `PUT ${nulls.path}/patched`,
        body: nulls.object("patched", { spec }),
      })),
      on(nulls).post("spec", { spec: null }),
      on(nulls).post("free", { free: null }),
      on(nulls).post("open", { open: null }),
      on(nulls).post("in-open", { open: { s: null, t: null } }),
      on(nulls).apply("spec", "one", { spec: null }),
      on(nulls).apply("free", "one", { free: null }),
      on(nulls).apply("open", "one", { open: null }),
      on(nulls).apply("in-open", "two", { open: { s: null, t: null } }),
    ],
  },
  {
    name: "apply-shared",
    managedFields: true,
    steps: [
      ...shared.install,
      on(shared).apply("a", "one", both),
      on(shared).apply("a", "two", both),
      on(shared).apply("a", "one", { spec: { x: "1" } }),
      on(shared).apply("a", "two", { spec: { x: "1" } }),
      on(shared).apply("b", "one", both),
      on(shared).apply("b", "two", { spec: { y: "2", deep: { a: "1" }, ports: [{ port: 1, more: "m" }] } }),
      on(shared).apply("b", "one", { spec: {} }),
      on(shared).apply("b", "two", { spec: {} }),
      on(shared).apply("c", "one", both),
      on(shared).patch("c", "edit", { spec: { deep: { a: "2" }, map: { k: "3" } } }),
      on(shared).apply("c", "one", { spec: { deep: { b: "1" } } }),
      on(shared).apply("c", "one", {}),
      on(shared).apply("f", "one", { metadata: { name: "f", finalizers: ["example.com/a"], labels: { a: "1" } } }),
      on(shared).apply("f", "two", { metadata: { name: "f", finalizers: ["example.com/b"], labels: { b: "1" } } }),
      on(shared).apply("f", "one", { metadata: { name: "f" } }),
      on(shared).apply("f", "two", { metadata: { name: "f" } }),
      on(shared).apply("f", "two", { metadata: { name: "f", resourceVersion: "" }, spec: { x: "2" } }),
      on(shared).apply("f", "two", { metadata: { name: "f", resourceVersion: "" }, spec: { x: "3" } }),
      on(shared).apply("new", "two", { metadata: { name: "new", resourceVersion: "", uid: "" }, spec: { x: "3" } }),
      on(shared).apply("f", "two", { metadata: { name: "f", uid: "" }, spec: { x: "4" } }),
      on(shared).apply("f", "two", { metadata: { name: "f", managedFields: [] }, spec: { x: "5" } }),
      on(shared).apply("f", "two", { metadata: { name: "f", managedFields: null }, spec: { x: "6" } }),
      on(shared).patch("f", "edit", { metadata: { managedFields: [] } }),
      on(shared).apply("f", "two", { spec: { x: "7" } }),
      on(shared).patch("f", "edit", { metadata: { resourceVersion: "" }, spec: { x: "8" } }),
      on(shared).patch("f", "edit", { metadata: { resourceVersion: null }, spec: { x: "9" } }),
      on(shared).patch("f", "edit", { metadata: { uid: "" }, spec: { x: "10" } }),
      {
        request: `PUT ${shared.path}/f`,
        body: shared.object("f", { metadata: { name: "f", resourceVersion: "", uid: "" } }),
      },
      ...["a", "b"].flatMap((value): RequestStep[] => [
        {
          request: `PATCH /api/v1/namespaces/{ns}/configmaps/m?fieldManager=one`,
          headers: apply,
          body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "m", resourceVersion: "" }, data: { value } },
        },
        {
          request: `PATCH /api/v1/namespaces/{ns}/configmaps/m?fieldManager=two`,
          headers: merge,
          body: { metadata: { resourceVersion: "" }, data: { other: value } },
        },
        {
          request: `PUT /api/v1/namespaces/{ns}/configmaps/m?fieldManager=three`,
          body: { metadata: { name: "m", resourceVersion: "", uid: "" }, data: { value } },
        },
      ]),
      on(shared).post("p", { metadata: { name: "p", managedFields: [] } }),
      on(shared).post("q", {}),
      on(shared).patch("q", "edit", { metadata: { labels: null } }),
      on(shared).apply("q", "one", {}),
      on(shared).apply("r", "one", {}),
      on(shared).apply("g", "one", { metadata: { name: "g", finalizers: ["example.com/a"] } }),
      { request: `DELETE ${shared.path}/g` },
      on(shared).apply("g", "one", { metadata: { name: "g" } }),
      on(shared).get("g"),
    ],
  },
  {
    name: "apply-two-versions",
    managedFields: true,
    steps: [
      ...versions.install,
      on(versions).apply("a", "one", { spec: { x: "1", v1: "1" } }),
      on(versions, "v2").apply("a", "one", { spec: { y: "1", v2: "1" } }),
      on(versions).apply("a", "one", { spec: { y: "2" } }),
      on(versions, "v2").apply("a", "two", { spec: { y: "1" } }),
      on(versions, "v2").apply("b", "one", { spec: { x: "1", y: "1" } }),
      on(versions).apply("b", "one", { spec: { x: "1" } }),
      on(versions, "v2").get("b"),
      on(versions).post("c", { spec: { x: "1", v1: "1" } }),
      on(versions, "v2").patch("c", "edit", { spec: { y: "1" } }),
      on(versions).patch("c", "edit", { spec: { y: "2" } }),
      on(versions, "v2").apply("c", "one", { spec: { x: "2" } }),
      on(versions, "v2").apply("c", "one", { spec: { x: "2", y: "3" } }, "&force=true"),
      on(versions).patch("c", "third", { spec: { x: null, y: null, v1: null } }),
      on(versions, "v2").get("c"),
    ],
  },
  {
    name: "apply-status",
    managedFields: true,
    steps: [
      ...status.install,
      on(status).post("a", { spec: { x: "1" } }),
      on(status).post("b", { spec: { x: "1" }, status: { n: 1 } }),
      on(status).apply("c", "one", { spec: { x: "1" } }),
      on(status).apply("d", "one", { spec: { x: "1" }, status: { n: 1 } }),
      on(status).patch("a", "edit", { spec: { x: "2" }, status: { n: 2 } }),
      on(status).apply("a", "two", { spec: { x: "3" } }, "&force=true"),
      { request: `PATCH ${status.path}/a/status?fieldManager=s`, headers: merge, body: { status: { n: 2 } } },
      ...plainStatus.install,
      on(plainStatus).post("a", {}),
      on(plainStatus).apply("b", "one", {}),
    ],
  },
  {
    name: "apply-last-applied",
    steps: [
      {
        request: "POST /api/v1/namespaces/{ns}/configmaps?fieldManager=kubectl-client-side-apply",
        body: { metadata: { name: "a", annotations: { [lastApplied]: "{}" } }, data: { a: "1" } },
      },
      {
        request: "PATCH /api/v1/namespaces/{ns}/configmaps/a?fieldManager=kubectl&force=true",
        headers: apply,
        body: {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: "a" },
          data: { 9: "nine", 10: "ten", a: "<b> & c" },
        },
      },
    ],
  },
];

import { crds, customKind, schemaOf } from "../../custom-kind.ts";
import { apply, merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { GET, PATCH, POST } from "../../requests.ts";
import { text } from "../../steps.ts";

const changing = customKind("changing");
changing.crd.spec.versions.push({ ...changing.crd.spec.versions[0], name: "v2", storage: false });
const itself = `${crds}/things.changing.example.com`;
const served = (each: any, version: Record<string, unknown>) => ({ ...each, ...version });
const [v1, v2] = changing.crd.spec.versions;
const shapes = customKind("shapes", { subresources: { status: {} } });
const shape = (name: string, properties: Record<string, unknown>) => ({
  ...shapes.crd.spec.versions[0],
  name,
  storage: name === "v1",
  schema: { openAPIV3Schema: schemaOf(properties) },
});
shapes.crd.spec.versions = [
  shape("v1", { x: text, y: text, shared: { type: "array", items: text } }),
  shape("v2", {
    x: text,
    z: { ...text, default: "zz" },
    shared: { type: "array", "x-kubernetes-list-type": "set", items: text },
  }),
];
const at = (version: string): string => shapes.path.replace("/v1/", `/${version}/`);
const body = (version: string, spec: Record<string, unknown>) => ({
  apiVersion: `shapes.example.com/${version}`,
  kind: "Thing",
  metadata: { name: "a" },
  spec,
});
const alike = customKind("alike");
alike.crd.spec.versions = ["v1", "v2"].map((name) => ({
  ...alike.crd.spec.versions[0],
  name,
  storage: name === "v1",
  schema: {
    openAPIV3Schema: schemaOf({
      x: text,
      y: text,
      list: { type: "array", items: text, ...(name === "v2" && { "x-kubernetes-list-type": "set" }) },
    }),
  },
}));
const applied = (manager: string, version: string, spec: Record<string, unknown>): RequestStep =>
  PATCH(`${alike.path.replace("/v1/", `/${version}/`)}/a?fieldManager=${manager}`, apply, {
    ...alike.object("a", { spec }),
    apiVersion: `alike.example.com/${version}`,
  });
const leaving = customKind("leaving", { schema: { openAPIV3Schema: schemaOf({ x: text, y: text }) } });
const [stays] = leaving.crd.spec.versions;
leaving.crd.spec.versions = [
  { ...stays, storage: false },
  { ...stays, name: "v2" },
];
const leavingAt = (version: string, manager: string, type: Readonly<Record<string, string>>): RequestStep =>
  PATCH(`${leaving.path.replace("/v1/", `/${version}/`)}/a?fieldManager=${manager}`, type, {
    ...leaving.object("a", { spec: { [manager]: "1" } }),
    apiVersion: `leaving.example.com/${version}`,
  });
const entry = { type: "object", required: ["k"], properties: { k: text, v: { type: "integer" } } };
const growing = { ...entry, "x-kubernetes-validations": [{ rule: "self.v >= oldSelf.v", message: "v only grows" }] };
const lists = customKind("correlation", {
  schema: {
    openAPIV3Schema: schemaOf({
      keyed: {
        type: "array",
        maxItems: 5,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: growing,
      },
      named: { type: "object", maxProperties: 5, additionalProperties: growing },
      whole: {
        type: "array",
        maxItems: 5,
        items: entry,
        "x-kubernetes-validations": [{ rule: "self.size() >= oldSelf.size()", message: "no item goes" }],
      },
    }),
  },
});
const changed = (spec: Record<string, unknown>): RequestStep => PATCH(`${lists.path}/a`, merge, { spec });

export const scenarios: Scenarios = {
  "crd-changing": [
    ...changing.install,
    { open: "w", request: `GET ${changing.path}?watch=true` },
    PATCH(itself, merge, { spec: { versions: [served(v2, { storage: true })] } }),
    PATCH(
      itself,
      merge,
      {
        spec: {
          versions: [
            v1,
            served(v2, { additionalPrinterColumns: [{ name: "X", type: "string", jsonPath: ".spec.x" }] }),
          ],
        },
      },
      { pick: ({ metadata, status }) => [metadata.generation, status.storedVersions] },
    ),
    { read: "w", count: 1 },
    PATCH(
      itself,
      merge,
      { spec: { versions: [served(v1, { storage: false }), served(v2, { storage: true })] } },
      { pick: ({ status }) => status.storedVersions },
    ),
    PATCH(
      `${itself}/status`,
      merge,
      { status: { storedVersions: ["v2"] } },
      { pick: ({ status }) => status.storedVersions },
    ),
    PATCH(
      itself,
      merge,
      { spec: { versions: [served(v2, { storage: true })] } },
      { pick: ({ spec, status }) => [spec.versions.length, status.storedVersions] },
    ),
    GET(changing.path, { until: (_, status) => status === 404 }),
    GET(changing.path.replace("/v1/", "/v2/")),
  ],
  // An owner of a version that the kind no longer has: nothing can be applied until an update has dropped the owners.
  "crd-version-leaves": [
    ...leaving.install,
    leavingAt("v1", "x", apply),
    PATCH(
      `${crds}/things.leaving.example.com`,
      merge,
      { spec: { versions: [{ ...stays, name: "v2" }] } },
      { pick: () => 0 },
    ),
    GET(leaving.path, { until: (_, status) => status === 404 }),
    leavingAt("v2", "y", apply),
    leavingAt("v2", "y", merge),
    leavingAt("v2", "y", apply),
  ],
  shapes: [
    ...shapes.install,
    POST(at("v1"), body("v1", { x: "1", y: "2", shared: ["a"] })),
    GET(`${at("v2")}/a`),
    GET(at("v2")),
    PATCH(`${at("v2")}/a`, merge, { spec: { x: "3" } }),
    GET(`${at("v1")}/a`),
    GET(`${at("v1")}/a`),
    PATCH(
      `${crds}/things.shapes.example.com`,
      merge,
      {
        spec: {
          versions: [shape("v1", { x: text, fresh: { ...text, default: "new" } }), shapes.crd.spec.versions[1]],
        },
      },
      { unrecorded: true },
    ),
    GET(`${at("v1")}/a`, { until: ({ spec }) => spec?.fresh !== undefined }),
    GET(at("v1")),
    { open: "w", request: `GET ${at("v1")}?watch=true` },
    { read: "w", count: 1 },
    PATCH(`${at("v1")}/a`, merge, { metadata: { labels: { a: "b" } } }),
    { read: "w", count: 1 },
  ],
  "apply-versions": {
    managedFields: true,
    steps: [
      ...alike.install,
      POST(alike.path, alike.object("a", { spec: { x: "1", y: "1", list: ["a"] } })),
      PATCH(`${alike.path.replace("/v1/", "/v2/")}/a`, merge, { spec: { x: "2" } }),
      applied("one", "v1", { x: "2" }),
      applied("one", "v2", { y: "2" }),
      applied("two", "v2", { y: "1", list: ["a"] }),
      applied("one", "v1", { list: ["b"] }),
      applied("two", "v1", { y: "3" }),
      PATCH(`${alike.path.replace("/v1/", "/v2/")}/a`, merge, { spec: { list: ["a", "c"] } }),
      GET(`${alike.path}/a`),
    ],
  },
  correlation: [
    ...lists.install,
    POST(
      lists.path,
      lists.object("a", {
        spec: {
          keyed: [
            { k: "a", v: 1 },
            { k: "b", v: 2 },
          ],
          named: { a: { k: "x", v: 1 } },
          whole: [{ k: "a" }, { k: "b" }],
        },
      }),
      { unrecorded: true },
    ),
    changed({
      keyed: [
        { k: "b", v: 2 },
        { k: "a", v: 1 },
      ],
    }),
    changed({
      keyed: [
        { k: "b", v: 1 },
        { k: "a", v: 0 },
      ],
    }),
    changed({
      keyed: [
        { k: "b", v: 3 },
        { k: "c", v: -1 },
      ],
    }),
    changed({ named: { a: { k: "x", v: 0 } } }),
    changed({ named: { a: null, b: { k: "x", v: -5 } } }),
    changed({ whole: [{ k: "a" }] }),
    changed({ whole: [{ k: "z" }, { k: "y" }, { k: "x" }] }),
  ],
};

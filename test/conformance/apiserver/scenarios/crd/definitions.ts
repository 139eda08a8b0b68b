import { crds, customKind } from "../../custom-kind.ts";
import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { DELETE, GET, PATCH, POST } from "../../requests.ts";
import { text } from "../../steps.ts";

const fresh = customKind("crdnew", {
  subresources: { status: {}, scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" } },
  additionalPrinterColumns: [
    { name: "X", type: "string", jsonPath: ".spec.x" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});
const established = (body: any): boolean =>
  body.status?.conditions?.some((each: any) => each.type === "Established" && each.status === "True");
const settled = (body: any): boolean => body.status?.conditions?.length >= 2;

/** A CRD that a server must refuse. */
function wrong(change: (crd: any) => void): RequestStep {
  const { crd } = customKind("wrong");
  const copy = structuredClone(crd);
  change(copy);
  return POST(`${crds}?dryRun=All`, copy);
}

const version = (crd: any): any => crd.spec.versions[0];
const root = (crd: any): any => version(crd).schema.openAPIV3Schema;
const spec = (crd: any): any => root(crd).properties.spec.properties;

/** Fields whose schemas have values of wrong types, or empty ones, below what may be a schema or something else. */
const choices: Record<string, unknown>[] = [
  ...["x", 5, [], [text], [text, text], { type: 5 }, { properties: 5 }, { ...text, maxLength: "x" }].map((items) => ({
    type: "array",
    items,
  })),
  ...["x", [], null, false, { type: 5 }, { type: "object", properties: { b: { type: 5 } } }].map(
    (additionalProperties) => ({ type: "object", additionalProperties }),
  ),
  { type: "array", items: { type: "array", items: { type: "array", items: { ...text, maxLength: 1.5 } } } },
  { type: "array", items: { ...text, maxLength: null, pattern: "", enum: [], description: null, nullable: false } },
  { type: "array", items: { type: "object", required: [], properties: {}, default: null } },
  { type: "object", additionalProperties: { type: "object", additionalProperties: { ...text, description: "" } } },
  { type: "object", dependencies: { a: ["b"], c: { type: "object" } } },
];

const first = customKind("names");
const second = customKind("names", {}, { names: { kind: "Other", plural: "others", listKind: "ThingList" } });
second.crd.metadata.name = "others.names.example.com";
const served = customKind("versions");
served.crd.spec.versions = ["v1alpha1", "v1", "v2beta1", "v2", "other"].map((name) => ({
  ...served.crd.spec.versions[0],
  name,
  storage: name === "v1",
  ...(name === "v1alpha1" && { deprecated: true }),
  ...(name === "v2beta1" && { deprecated: true, deprecationWarning: "use v2, please" }),
}));
const things = "/apis/versions.example.com/{v}/namespaces/{ns}/things";
const held = customKind("ending");

export const scenarios: Scenarios = {
  crd: [
    POST(crds, fresh.crd),
    GET(`${crds}/things.crdnew.example.com`, { until: established }),
    GET(fresh.path, { until: (_, status) => status === 200, unrecorded: true }),
    GET("/apis/crdnew.example.com"),
    GET("/apis/crdnew.example.com/v1"),
    GET(fresh.path, { headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } }),
    POST(crds, fresh.crd),
    PATCH(`${crds}/things.crdnew.example.com`, merge, { spec: { scope: "Cluster" } }),
    PATCH(`${crds}/things.crdnew.example.com`, merge, { spec: { names: { kind: "Renamed" } } }),
    PATCH(`${crds}/things.crdnew.example.com`, merge, { spec: { group: "other.example.com" } }),
    DELETE(`${crds}/things.crdnew.example.com`),
    GET(`${crds}/things.crdnew.example.com`, { until: (_, status) => status === 404 }),
  ],
  "crd-names": [
    ...first.install,
    POST(crds, second.crd, { unrecorded: true }),
    GET(`${crds}/others.names.example.com`, { until: settled }),
    DELETE(`${crds}/things.names.example.com`, { unrecorded: true }),
    GET(`${crds}/others.names.example.com`, { until: established }),
  ],
  "crd-structural": [
    wrong((crd) => (crd.metadata.name = "other.example.com")),
    wrong((crd) => (version(crd).storage = false)),
    wrong((crd) => delete version(crd).schema),
    wrong((crd) => (root(crd).type = "string")),
    wrong((crd) => delete root(crd).type),
    wrong((crd) => delete spec(crd).x.type),
    wrong((crd) => (spec(crd).x = { type: "array" })),
    wrong((crd) => (spec(crd).x = { $ref: "#/definitions/a" })),
    wrong((crd) => (root(crd).properties.metadata = { type: "object", properties: { labels: { type: "object" } } })),
    wrong((crd) => (spec(crd).x = { type: "string", anyOf: [{ type: "string" }] })),
    wrong((crd) => (spec(crd).x = { type: "array", items: { type: "object" }, "x-kubernetes-list-type": "map" })),
    wrong((crd) => (spec(crd).x = { type: "array", items: { type: "object" }, "x-kubernetes-list-type": "set" })),
    wrong((crd) => (spec(crd).x = { type: "integer", default: "text" })),
    wrong((crd) => (spec(crd).x = { type: "string", pattern: "(?=x)" })),
    wrong((crd) => (spec(crd).x = { type: "string", enum: ["a"], default: "b" })),
    wrong((crd) => (crd.spec.preserveUnknownFields = true)),
    wrong((crd) => (version(crd).additionalPrinterColumns = [{ name: "a", type: "text", jsonPath: "spec.x" }])),
    wrong((crd) => (version(crd).selectableFields = [{ jsonPath: ".spec" }])),
    wrong((crd) => (crd.spec.names = { kind: "thing_", plural: "Things" })),
    wrong((crd) => (crd.spec.scope = "Everywhere")),
    wrong((crd) => (crd.spec.group = "")),
    wrong((crd) => (crd.spec.versions = [])),
    wrong((crd) => (version(crd).name = "v1.0")),
    wrong(
      (crd) => (version(crd).subresources = { scale: { specReplicasPath: "spec.n", statusReplicasPath: ".spec.m" } }),
    ),
    wrong((crd) => {
      crd.spec.group = "things.k8s.io";
      crd.metadata.name = "things.things.k8s.io";
    }),
  ],
  "crd-choices": choices.map((field) => wrong((crd) => (spec(crd).x = field))),
  "crd-versions": [
    POST(crds, served.crd, { unrecorded: true }),
    GET(things.replace("{v}", "v1"), { until: (_, status) => status === 200, unrecorded: true }),
    GET("/apis/versions.example.com"),
    POST(things.replace("{v}", "v2"), {
      ...served.object("a", { spec: { x: "1" } }),
      apiVersion: "versions.example.com/v2",
    }),
    GET(`${things.replace("{v}", "v1")}/a`),
    GET(`${things.replace("{v}", "v1alpha1")}/a`),
    GET(things.replace("{v}", "v2beta1")),
    PATCH(`${things.replace("{v}", "v1alpha1")}/a`, merge, { spec: { x: "2" } }),
    GET(things.replace("{v}", "other")),
    GET(things.replace("{v}", "v9")),
  ],
  "crd-ending": [
    ...held.install,
    POST(held.path, { ...held.object("a"), metadata: { name: "a", finalizers: ["a.io/b"] } }, { unrecorded: true }),
    DELETE(`${crds}/things.ending.example.com`, { unrecorded: true }),
    GET(`${held.path}/a`, { until: (body) => body.metadata?.deletionTimestamp !== undefined }),
    GET(`${crds}/things.ending.example.com`),
    POST(held.path, held.object("b")),
    PATCH(`${held.path}/a`, merge, { metadata: { finalizers: null } }, { unrecorded: true }),
    GET(`${crds}/things.ending.example.com`, { until: (_, status) => status === 404 }),
  ],
};

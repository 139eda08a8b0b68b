/** Custom kinds whose schemas have all that a server writes differently in its OpenAPI documents. */
export const group = "documents.example.com";

const text = { type: "string" };
const number = { type: "integer" };
const preserved = { "x-kubernetes-preserve-unknown-fields": true };
const embedded = { type: "object", "x-kubernetes-embedded-resource": true };

const spec = {
  replicas: { ...number, format: "int32", minimum: 0, default: 1 },
  port: { "x-kubernetes-int-or-string": true, description: "a port" },
  namedPort: { anyOf: [number, text], "x-kubernetes-int-or-string": true },
  raw: { type: "object", ...preserved, properties: { a: text } },
  any: preserved,
  absent: { type: "object", nullable: true, properties: { x: { ...text, nullable: true } } },
  absentList: { type: "array", nullable: true, items: text },
  anyObject: { ...embedded, ...preserved, required: ["spec"], properties: { spec: { type: "object", ...preserved } } },
  object: { ...embedded, properties: { spec: { type: "object", properties: { a: text } } } },
  map: { type: "object", additionalProperties: { ...text, enum: ["a", "b"] } },
  list: {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["a"],
    items: {
      type: "object",
      required: ["a"],
      properties: {
        a: { ...text, pattern: "^x" },
        b: { type: "number", multipleOf: 2, maximum: 10, exclusiveMaximum: true },
      },
    },
  },
  set: { type: "array", "x-kubernetes-list-type": "set", maxItems: 3, items: text },
  either: {
    type: "object",
    properties: { a: text, b: text },
    oneOf: [{ required: ["a"] }, { required: ["b"] }],
    not: { required: ["c"] },
  },
  ruled: {
    type: "object",
    properties: { a: number },
    "x-kubernetes-validations": [{ rule: "self.a > 0", message: "is positive" }],
  },
  described: {
    type: "object",
    title: "T",
    example: { a: 1 },
    externalDocs: { url: "https://example.com" },
    "x-kubernetes-map-type": "atomic",
    properties: { a: { ...text, default: "x" } },
    default: {},
  },
};

const widget = {
  type: "object",
  description: "A widget\nin two lines.",
  required: ["spec"],
  properties: {
    apiVersion: { ...text, description: "the CRD's own words" },
    kind: { ...text, description: "the CRD's own words" },
    metadata: { type: "object", properties: { name: { ...text, maxLength: 20 } } },
    spec: { type: "object", properties: spec },
    status: { type: "object", properties: { replicas: number } },
  },
};

const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };

/** A namespaced kind with subresources and a second version, and a kind of the cluster whose name looks like a plural. */
export const definitions: readonly object[] = [
  definition("Widget", "Namespaced", [
    { name: "v1", storage: true, subresources: { status: {}, scale }, schema: { openAPIV3Schema: widget } },
    { name: "v1beta1", storage: false, schema: { openAPIV3Schema: { type: "object", ...preserved } } },
  ]),
  definition("Indices", "Cluster", [
    { name: "v1", storage: true, schema: { openAPIV3Schema: { type: "object", properties: { a: text } } } },
  ]),
];

function definition(kind: string, scope: string, versions: readonly object[]): object {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names: { kind, plural }, versions: versions.map((each) => ({ served: true, ...each })) },
  };
}

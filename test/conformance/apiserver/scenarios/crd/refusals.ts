import { crds, customKind, schemaOf } from "../../custom-kind.ts";
import type { RequestStep, Scenarios } from "../../scenario.ts";
import { PATCH, POST } from "../../requests.ts";
import { text } from "../../steps.ts";

const list = (items: object, more: object): object => ({ type: "array", items, ...more });
const merged = (key: object, more: object = {}, keys = ["k"]): object =>
  list(
    { type: "object", properties: { k: key }, required: ["k"], ...more },
    { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys },
  );
const embedded = { type: "object", "x-kubernetes-embedded-resource": true };
const any = { "x-kubernetes-preserve-unknown-fields": true };
const intOrString = { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, text] };
const rules = (rule: string, more: object = {}): object => ({ "x-kubernetes-validations": [{ rule, ...more }] });

/** What stands at spec.x. Some are fine, for the border of what is not. */
const nodes: readonly object[] = [
  { ...text, "x-kubernetes-int-or-string": true },
  { ...text, ...any },
  embedded,
  { "x-kubernetes-embedded-resource": true, ...any },
  { ...embedded, properties: { kind: { type: "integer" } } },
  { ...embedded, ...any, default: { a: 1 } },
  list(text, { "x-kubernetes-map-type": "atomic" }),
  { type: "object", "x-kubernetes-map-type": "other" },
  { type: "object", "x-kubernetes-list-type": "set" },
  list(text, { "x-kubernetes-list-type": "other" }),
  list({ ...text, nullable: true }, { "x-kubernetes-list-type": "set" }),
  list(list(text, {}), { "x-kubernetes-list-type": "set" }),
  list(list(text, { "x-kubernetes-list-type": "set" }), { "x-kubernetes-list-type": "set" }),
  list(any, { "x-kubernetes-list-type": "set" }),
  merged(text, { nullable: true }),
  merged({ ...text, nullable: true }),
  merged({ type: "object" }),
  merged(list(text, {})),
  merged(intOrString),
  merged(text, {}, ["k", "k"]),
  merged(text, {}, ["other"]),
  merged({ ...text, default: "a" }, { required: undefined }),
  list(text, { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] }),
  list({ type: "object" }, { "x-kubernetes-list-map-keys": ["k"] }),
  { ...text, allOf: [text] },
  { ...text, allOf: [rules("self != ''")] },
  { ...text, not: { default: "x" } },
  { ...text, allOf: [{ pattern: "(" }] },
  { type: "object", properties: { a: text }, anyOf: [{ properties: { a: { pattern: "(" } } }] },
  { type: "object", properties: { a: text }, allOf: [{ required: ["b"] }] },
  list(text, { allOf: [{ uniqueItems: true }] }),
  { ...intOrString, anyOf: [text, { type: "integer" }] },
  { ...intOrString, anyOf: undefined, allOf: [{ anyOf: intOrString.anyOf }, { pattern: "a" }] },
  { type: "other" },
  {},
  { type: "object", additionalProperties: {} },
  { type: "object", additionalProperties: false, properties: { a: text } },
  { type: "integer", default: 1.5 },
  { type: "integer", format: "int32", default: 3e9 },
  { type: "integer", minimum: 5, default: 1 },
  { ...text, pattern: "^a", default: "b" },
  { ...text, format: "date-time", default: "x" },
  { type: "object", properties: { a: text }, required: ["a"], default: {} },
  { type: "object", properties: { a: text }, default: { a: "b", c: 1 } },
  list({ type: "integer" }, { default: ["a"] }),
  { ...merged(text), default: [{ k: "a" }, { k: "a" }] },
  { ...text, default: "b", ...rules("self == 'a'") },
  { type: "object", properties: { a: { ...text, ...rules("self == 'a'") } }, default: { a: "b" } },
  { ...text, ...rules("self") },
  { ...any, ...rules("true") },
  { ...text, ...rules("true", { optionalOldSelf: true }) },
  list({ ...text, ...rules("self == oldSelf") }, {}),
  list(text, rules("self.all(a, self.all(b, a.contains(b)))")),
];

const roots: readonly object[] = [
  { default: {} },
  { default: { apiVersion: "refusals.example.com/v1", kind: "Thing" } },
  { nullable: true },
  { properties: { kind: { type: "integer" } } },
  { properties: { metadata: text } },
  { properties: { metadata: { type: "object", default: {} } } },
  { properties: { metadata: { type: "object", properties: { name: { ...text, default: "a" } } } } },
  { properties: { metadata: { type: "object", ...rules("true") } } },
];
const unsupported: readonly object[] = [
  { id: "a" },
  { additionalItems: true },
  { patternProperties: { a: text } },
  { definitions: { a: text } },
  { dependencies: { a: ["b"] } },
  { properties: { a: { ...text, definitions: { a: text }, patternProperties: {} } } },
];
const service = { namespace: "default", name: "a" };
const review = (...conversionReviewVersions: string[]): object => ({ conversionReviewVersions });
const conversions: readonly object[] = [
  { strategy: "Maybe" },
  { strategy: "Webhook" },
  { strategy: "Webhook", webhook: review() },
  { strategy: "Webhook", webhook: { clientConfig: {}, ...review("v1") } },
  { strategy: "Webhook", webhook: { clientConfig: { service: {} }, ...review("v2", "v2") } },
  { strategy: "Webhook", webhook: { clientConfig: { url: "http://a" }, ...review("v1", "V_") } },
  { strategy: "Webhook", webhook: { clientConfig: { service, url: "https://a" }, ...review("v1beta1") } },
  { strategy: "Webhook", webhook: { clientConfig: { service }, ...review("v1") } },
  { strategy: "None", webhook: { clientConfig: { service }, ...review("v1") } },
];
const column = { name: "A", type: "string", jsonPath: ".a" };
const fields = schemaOf(Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`x${index}`, text])));
const versions: readonly Record<string, unknown>[] = [
  { name: "v1.2" },
  { name: `v${"1".repeat(63)}` },
  { additionalPrinterColumns: [{ ...column, format: "other" }] },
  { additionalPrinterColumns: [{ name: "", type: "", jsonPath: "" }] },
  { additionalPrinterColumns: [column, column] },
  { subresources: { scale: { specReplicasPath: ".specs.a", statusReplicasPath: ".status", labelSelectorPath: ".a" } } },
  {
    selectableFields: [".spec.x", ".spec.x", ".metadata.name", ".spec.l[0]", "spec.x", "", ".spec.", ".spec"].map(
      (jsonPath) => ({ jsonPath }),
    ),
  },
  {
    schema: { openAPIV3Schema: fields },
    selectableFields: Array.from({ length: 9 }, (_, index) => ({ jsonPath: `.spec.x${index}` })),
  },
  { deprecationWarning: "old" },
  { deprecated: true, deprecationWarning: "" },
  { deprecated: true, deprecationWarning: "a".repeat(257) },
  { deprecated: true, deprecationWarning: "é\ta" },
];
const names: readonly object[] = [
  { categories: ["Bad_one"] },
  { shortNames: ["B"] },
  { kind: "Thing_" },
  { kind: `T${"h".repeat(63)}` },
  { singular: "" },
];
const kind = (name: string, change: Record<string, unknown>): RequestStep => {
  const { crd } = customKind(name, change);
  return POST(`${crds}?dryRun=All`, crd);
};
const named = (change: object): RequestStep => {
  const { crd } = customKind("refusals");
  return POST(`${crds}?dryRun=All`, { ...crd, spec: { ...crd.spec, names: { ...crd.spec.names, ...change } } });
};
const grouped = (group: string, annotations: object): RequestStep => {
  const { crd } = customKind("refusals");
  const metadata = { name: `things.${group}`, annotations };
  return POST(`${crds}?dryRun=All`, { ...crd, metadata, spec: { ...crd.spec, group } });
};
const converted = (conversion: object): RequestStep => {
  const { crd } = customKind("refusals");
  return POST(`${crds}?dryRun=All`, { ...crd, spec: { ...crd.spec, conversion } });
};
const withSchema = (schema: object): RequestStep => kind("refusals", { schema: { openAPIV3Schema: schema } });

/** A CRD with versions v1, v2 … of which these are stored. */
const storing = (...stored: boolean[]): any => {
  const { crd } = customKind("storing");
  const versions = stored.map((storage, index) => ({ ...crd.spec.versions[0], name: `v${index + 1}`, storage }));
  return { ...crd, spec: { ...crd.spec, versions } };
};

const key = { k: text };

/** Defaults whose rules do not compile or hold, and rules below what is wrong otherwise. */
const mixed: readonly object[] = [
  { ...text, default: "b", ...rules("self.nothing()") },
  { type: "object", properties: { a: { ...text, ...rules("self.b == 1") } }, default: { a: "b" } },
  { ...text, default: "b", ...rules("self == 'b'", { messageExpression: "1" }) },
  { type: "integer", default: 1, ...rules("self > oldSelf") },
  { type: "integer", default: 1, ...rules("!oldSelf.hasValue()", { optionalOldSelf: true }) },
  { type: "object", additionalProperties: any, default: { a: 1 }, ...rules("size(self) < 3") },
  list(
    { type: "object", properties: key, ...rules("self.k == 'b'") },
    { default: [{ k: "a" }, { k: "b" }, { k: "a" }] },
  ),
  { ...merged(text, rules("self.k == 'b'")), default: [{ k: "a" }, { k: "a" }] },
  { ...any, properties: { a: { ...text, ...rules("self == 'a'") } } },
  { ...any, properties: { a: { ...text, ...rules("self == 'a'") } }, ...rules("true") },
  { type: "other", properties: { a: merged(text, rules("self.k == 'b'")), b: { ...text, ...rules("self.b") } } },
  { type: "other", properties: { a: merged(text, rules("self.k == 'b'")) }, ...rules("true") },
  { ...intOrString, "x-kubernetes-int-or-string": false },
  { ...intOrString, anyOf: [{ type: "integer" }, { type: "other" }] },
  { "x-kubernetes-preserve-unknown-fields": false },
  { type: "object", properties: { a: { "x-kubernetes-preserve-unknown-fields": false }, b: {} }, ...rules(" ") },
  { type: "integer", default: "a", allOf: [{ nullable: true }], "x-kubernetes-preserve-unknown-fields": false },
];

/** Nearly all that can be wrong with a CRD, each alone. */
export const scenarios: Scenarios = {
  "storage-versions": [
    ...[storing(true, true), storing(false, true, true), storing(false, false), storing(true, true, true)].map((body) =>
      POST(crds, body),
    ),
    POST(crds, storing(false, true, false), { pick: ({ status }) => status.storedVersions }),
    ...[1, 2].map((index) =>
      PATCH(`${crds}/things.storing.example.com`, { "content-type": "application/json-patch+json" }, [
        { op: "replace", path: `/spec/versions/${index === 1 ? 0 : 2}/storage`, value: true },
      ]),
    ),
  ],
  "crd-refusals": [
    ...nodes.map((x) => withSchema(schemaOf({ x }))),
    ...roots.map((root) => withSchema({ type: "object", ...root })),
    ...versions.map((version) => kind("refusals", version)),
    ...names.map(named),
    grouped("example", {}),
    grouped("refusals.k8s.io", { "api-approved.kubernetes.io": "me" }),
    grouped("refusals.k8s.io", { "api-approved.kubernetes.io": "unapproved, for a test" }),
  ],
  "crd-mixed-refusals": mixed.map((x) => ({
    ...withSchema(schemaOf({ x })),
    pick: ({ code, details }: any) => (code ? { code, causes: details.causes } : "accepted"),
  })),
  "crd-unsupported": [
    ...unsupported.map((schema) => withSchema({ type: "object", ...schema })),
    ...conversions.map(converted),
  ],
};

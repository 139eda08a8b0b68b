import { crds, customKind, schemaOf } from "../../custom-kind.ts";
import { apply, type RequestStep, type Scenarios } from "../../scenario.ts";
import { PATCH, POST } from "../../requests.ts";
import { text } from "../../steps.ts";

const keep = { "x-kubernetes-preserve-unknown-fields": true };
const branches = { anyOf: [{ minimum: 3 }, { maxLength: 3 }] };
const required = (...names: readonly string[]): object => ({ required: names });
const below = (name: string, schema: object): object => ({ properties: { [name]: schema } });
const shapes = customKind("sample-shapes", {
  schema: {
    openAPIV3Schema: schemaOf({
      s: text,
      se: { type: "string", enum: ["a", "b"], minLength: 2, pattern: "^a" },
      st: { type: "string", format: "date-time" },
      sb: { type: "string", format: "byte" },
      i: { type: "integer", minimum: 3, multipleOf: 2 },
      ie: { type: "integer", enum: [1, 2] },
      i32: { type: "integer", format: "int32" },
      i64: { type: "integer", format: "int64", maximum: 1 },
      n: { type: "number", minimum: 3 },
      nd: { type: "number", format: "double" },
      b: { type: "boolean" },
      be: { type: "boolean", enum: [true] },
      l: { type: "array", items: text, minItems: 2 },
      lo: { type: "array", items: { type: "object", properties: { a: text } } },
      o: { type: "object", properties: { a: text }, required: ["a"] },
      oe: { type: "object", properties: { a: text }, enum: [{ a: "x" }] },
      m: { type: "object", additionalProperties: text },
      ios: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
      not: { type: "string", not: { enum: ["s"] } },
      any: { type: "integer", ...branches },
      every: { type: "string", allOf: [{ enum: ["a"] }, { minLength: 2 }] },
      near: {
        type: "object",
        properties: { a: text },
        oneOf: [required("b"), below("a", { minLength: 9, maxLength: 9 })],
      },
      first: { type: "object", properties: { a: text }, anyOf: [required("b", "c"), required("d")] },
      free: keep,
      open: { type: "object", ...keep, properties: { l: { type: "array", items: text } } },
    }),
  },
});
const fields = Object.keys(shapes.crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties as object);
const values: Readonly<Record<string, unknown>> = {
  text: "s",
  integer: 5,
  "other-integer": 1,
  float: 1.5,
  boolean: true,
  "no-items": [],
  texts: ["a"],
  objects: [{ n: 1, a: "x" }],
  lists: [[{ n: 1 }]],
  nulls: [null],
  "no-fields": {},
  fields: { a: "x" },
  "wrong-fields": { a: [{ b: "x" }], l: [{ b: "x" }] },
};

/** An object in which each field has the same value, which fits few of them. */
const shapeSteps = Object.entries(values).flatMap(([name, value]): RequestStep[] => {
  const body = shapes.object(name, { spec: Object.fromEntries(fields.map((field) => [field, value])) });
  return [
    POST(`${shapes.path}?dryRun=All&fieldValidation=Warn`, body),
    POST(`${shapes.path}?dryRun=All&fieldValidation=Strict`, body),
  ];
});

const scale = { specReplicasPath: ".spec.count", statusReplicasPath: ".status.count" };
const scaled = customKind("sample-scale", {
  schema: { openAPIV3Schema: { type: "object", ...keep } },
  subresources: { scale: { ...scale, labelSelectorPath: ".status.selector" } },
});
const counts: readonly unknown[] = [
  { spec: { count: 2_147_483_648 } },
  { spec: { count: -1 }, status: { count: -1 } },
  { spec: { count: {} } },
  { spec: { count: { b: "x", a: [1, true, null] } } },
  { spec: { count: "5" }, status: { count: true, selector: 5 } },
  { spec: { count: 1.5 } },
  { spec: { count: 1e20 }, status: { count: 4_000_000_000_000_000_000 } },
  { spec: { count: null }, status: { count: null, selector: null } },
  { spec: [null] },
  { spec: "x", status: 5 },
  { spec: null, status: null },
  { status: { count: 2_147_483_648, selector: {} } },
];
const typed = customKind("sample-type", {
  schema: { openAPIV3Schema: schemaOf({ s: text, d: { type: "string", default: "x" }, n: { type: "integer" } }) },
});
const whole = typed.object("a", { spec: { n: "x", unknown: 1 } });
const types: readonly Record<string, unknown>[] = [
  { ...whole, apiVersion: null },
  { ...whole, apiVersion: 5 },
  { ...whole, apiVersion: {} },
  { ...whole, apiVersion: "" },
  { ...whole, kind: null },
  { ...whole, kind: 5 },
  { ...whole, kind: "" },
  { ...whole, kind: "Other" },
  { ...whole, kind: "Other", apiVersion: "v1" },
  { ...whole, metadata: null },
  { ...whole, metadata: { name: null } },
  { ...whole, metadata: { generateName: null } },
  { ...whole, metadata: { name: null, generateName: null } },
  { ...whole, metadata: { name: "a", generateName: null } },
  { ...whole, metadata: { name: "a", namespace: null, labels: null, uid: null } },
  { ...whole, metadata: { name: "a", zz: null, labels: { a: null } } },
  { ...whole, metadata: { name: "a", Name: "" } },
  { ...whole, metadata: { name: "a", finalizers: [null] } },
  { ...whole, metadata: { name: "a", ownerReferences: [null] } },
  { ...whole, metadata: { name: "a", ownerReferences: [{ name: null }] } },
  { ...whole, metadata: [] },
  { ...whole, metadata: "x" },
  { ...whole, spec: null },
  { ...whole, spec: [] },
];

/** Of several problems of an apply, the order is random. */
const withoutUnknown = (body: Record<string, unknown>): unknown =>
  body["spec"] === whole.spec ? { ...body, spec: { s: "x" } } : body;

const texts = { type: "array", items: text };
const toApply = customKind("sample-apply", {
  schema: {
    openAPIV3Schema: schemaOf({
      s: text,
      d: { type: "string", default: "x" },
      named: { ...keep, properties: { l: texts, o: { type: "object", properties: { a: text } } } },
      listed: { ...keep, items: text },
      free: keep,
      open: { type: "object" },
      kept: { type: "object", ...keep },
    }),
  },
});
const uid = "01234567-89ab-cdef-0123-456789abcdef";
const good = { spec: { s: "x" } };
const applied: readonly (readonly [name: string, more: unknown])[] = [
  ["uid", { metadata: { name: "uid", uid } }],
  ["uid-unknown", { metadata: { name: "uid-unknown", uid }, spec: { unknown: 1 } }],
  ["version", { metadata: { name: "version", resourceVersion: "7" } }],
  ["no-labels", { metadata: { name: "no-labels", labels: {}, annotations: null } }],
  ["null-labels", { metadata: { name: "null-labels", labels: null, annotations: {}, finalizers: [] } }],
  ["null-text", { metadata: { name: "null-text", labels: { a: null }, finalizers: null, ownerReferences: null } }],
  ["list", { metadata: [{ name: "c" }] }],
  ["empty", { metadata: [] }],
  ["text", { metadata: "x" }],
  ["named", { spec: { named: { l: ["x"], u: [{ a: 1 }], o: { a: "x", u: 1 } } } }],
  ["named-wrong", { spec: { named: { l: [{}] } } }],
  ["named-list", { spec: { named: ["x"] } }],
  ["named-text", { spec: { named: "x" } }],
  ["no-spec", { spec: null }],
  ["no-free", { spec: { free: null } }],
  ["no-open", { spec: { open: null } }],
  ["no-kept", { spec: { kept: null, named: null } }],
  ["listed", { spec: { listed: ["x"] } }],
  ["listed-wrong", { spec: { listed: [{}] } }],
  ["listed-map", { spec: { listed: { a: "x" } } }],
];
const ruled = (rule: string): unknown =>
  customKind(`sample-rule-${rule.length}`, {
    schema: { openAPIV3Schema: schemaOf({ s: { type: "string", "x-kubernetes-validations": [{ rule }] } }) },
  }).crd;

/** Rules whose cost depends on what a comparison with null costs. */
const rules = [
  "size(self) == 0 || format.dns1123Label().validate(self) == null",
  "format.dns1123Label().validate(self) != null && self != ''",
  "null == format.dns1123Label().validate(self)",
];

/** What samples of real projects, and changed copies of them, have shown. */
export const scenarios: Scenarios = {
  "sample-shapes": [...shapes.install, ...shapeSteps],
  "sample-rules": rules.map((rule) => POST(`${crds}?dryRun=All`, ruled(rule))),
  "sample-scale": [
    ...scaled.install,
    ...counts.map((fields, index) =>
      POST(`${scaled.path}?dryRun=All`, scaled.object(`a${index}`, fields as Record<string, unknown>)),
    ),
  ],
  "sample-type": [
    ...typed.install,
    ...types.flatMap((body): RequestStep[] => [
      POST(`${typed.path}?dryRun=All&fieldValidation=Warn`, body),
      POST(`${typed.path}?dryRun=All&fieldValidation=Strict`, body),
      PATCH(`${typed.path}/a?dryRun=All&fieldManager=m`, apply, withoutUnknown(body)),
    ]),
  ],
  "sample-apply": {
    managedFields: true,
    steps: [
      ...toApply.install,
      ...applied.flatMap(([name, more]): RequestStep[] => {
        const body = toApply.object(name, { ...good, ...(more as object) });
        const path = `${toApply.path}/${name}?fieldManager=m`;
        return [PATCH(`${path}&dryRun=All`, apply, body), PATCH(path, apply, body)];
      }),
    ],
  },
};

import { crds, customKind, schemaOf } from "../custom-kind.ts";
import { apply, jsonPatch, merge, type RequestStep, type Scenario } from "../scenario.ts";

const text = { type: "string" };
const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const map = (values: object): object => ({ type: "object", additionalProperties: values });
const rules = (...rules: object[]): object => ({ "x-kubernetes-validations": rules });

const values = customKind("schema-values", {
  schema: {
    openAPIV3Schema: schemaOf(
      {
        mode: { ...text, enum: ["a", "b"], nullable: true },
        code: { ...text, maxLength: 1 },
        any: open,
        a: text,
      },
      { anyOf: [{ required: ["a"] }, { required: ["a"] }], oneOf: [{ required: ["a"] }] },
    ),
  },
});
const at = `${values.path}/one`;
const spec = (fields: object): Record<string, unknown> => ({ spec: { a: "x", ...fields } });

/** Returns a step that only checks a definition. */
function check(name: string, version: Record<string, unknown>): RequestStep {
  const { crd } = customKind(name, version);
  return { request: `POST ${crds}?dryRun=All`, body: crd };
}

const root = (more: object): Record<string, unknown> => ({
  schema: { openAPIV3Schema: { ...schemaOf({ a: text }), ...more } },
});
const status = { subresources: { status: {} } };
const property = (schema: object): Record<string, unknown> => ({
  schema: { openAPIV3Schema: schemaOf({ a: schema }) },
});

const changing = customKind("schema-changing", {
  schema: { openAPIV3Schema: schemaOf({ a: open, list: { type: "array", items: text }, b: text }) },
});
const changed = { list: { type: "array", items: text }, b: { type: "integer" }, marker: { ...text, default: "new" } };
const version = {
  ...changing.crd.spec.versions[0],
  schema: {
    openAPIV3Schema: schemaOf({
      ...changed,
      a: { ...open, properties: { x: text }, "x-kubernetes-map-type": "atomic" },
    }),
  },
};
const changingAt = `${changing.path}/one`;

export const schemaChangeScenarios: readonly Scenario[] = [
  {
    name: "schema-values",
    steps: [
      ...values.install,
      { request: `POST ${values.path}`, body: values.object("one", spec({ mode: "a" })) },
      { request: `PATCH ${at}`, headers: jsonPatch, body: [{ op: "add", path: "/spec/mode", value: null }] },
      { request: `PATCH ${at}`, headers: merge, body: spec({ code: "ab" }) },
      { request: `POST ${values.path}`, body: values.object("two", { spec: {} }) },
      { request: `PATCH ${at}`, headers: merge, body: spec({ any: { list: [{ b: null, c: [{ d: null }] }, null] } }) },
      { request: `PATCH ${at}`, headers: merge, body: spec({ any: { list: { b: 1 } } }) },
      { request: `PATCH ${at}`, headers: merge, body: spec({ any: { list: [{ b: null }] } }) },
    ],
  },
  {
    name: "schema-definitions",
    steps: [
      check("root-any-of", { ...root({ anyOf: [{ required: ["spec"] }] }), ...status }),
      check("root-most", { ...root({ maxProperties: 9 }), ...status }),
      check("root-rule", { ...root(rules({ rule: "has(self.spec)" })), ...status }),
      check("root-any-of-alone", root({ anyOf: [{ required: ["spec"] }] })),
      check("root-list", { schema: { openAPIV3Schema: { type: "array", items: text } }, ...status }),
      check("list-type", property({ ...open, "x-kubernetes-list-type": "set", type: undefined })),
      check("default-of-map", property({ ...map({ ...text, maxLength: 1, default: "ab" }), default: { k: "abc" } })),
      check("default-of-list", property({ type: "array", items: { ...text, maxLength: 1 }, default: ["ab"] })),
      check(
        "default-of-rule",
        property({ type: "array", items: { ...text, ...rules({ rule: "self == ''" }) }, default: ["a"] }),
      ),
      check(
        "default-unknown",
        property({ type: "object", properties: { a: text }, default: { z: 1, b: { y: 1, c: 1 } } }),
      ),
      check("old-self", property({ ...text, ...rules({ rule: "self == nothing", optionalOldSelf: false }) })),
      check("one-more", property({ ...text, ...rules({ rule: "self b" }, { rule: "self b c" }) })),
      check("format", property({ ...text, format: "unknown" })),
    ],
  },
  {
    name: "schema-changes",
    managedFields: true,
    steps: [
      ...changing.install,
      {
        request: `PATCH ${changingAt}?fieldManager=one`,
        headers: apply,
        body: changing.object("one", { spec: { a: { x: "1", y: "2" }, list: ["a"] } }),
      },
      {
        request: `PATCH ${changingAt}?fieldManager=two`,
        headers: apply,
        body: changing.object("one", { spec: { a: { z: "3" } } }),
      },
      { request: `POST ${changing.path}`, body: changing.object("bare", { spec: { b: "x" } }) },
      { request: `PATCH ${changing.path}/bare`, headers: merge, body: { metadata: { managedFields: [{}] } } },
      {
        request: `PATCH ${crds}/${changing.crd.metadata.name}`,
        headers: merge,
        body: { spec: { versions: [version] } },
        unrecorded: true,
      },
      { request: `GET ${changingAt}`, until: (body) => body.spec.marker === "new" },
      { request: `PATCH ${changingAt}`, headers: merge, body: { metadata: { labels: { a: "b" } } } },
      {
        request: `PATCH ${changingAt}?fieldManager=two&force=true`,
        headers: apply,
        body: changing.object("one", { spec: { a: { z: "3" } } }),
      },
      {
        request: `PATCH ${changing.path}/bare?fieldManager=two`,
        headers: apply,
        body: changing.object("bare", { spec: {} }),
      },
    ],
  },
  {
    name: "schema-warnings",
    steps: ["unknown", "unknown", "other"].map((format, index) => {
      const { crd } = customKind("schema-warnings", property({ ...text, format, description: `${index}` }));
      const pick = (body: any): unknown => body.spec.versions[0].schema;
      return index === 0
        ? { request: `POST ${crds}`, body: crd, pick }
        : { request: `PATCH ${crds}/${crd.metadata.name}`, headers: merge, body: { spec: crd.spec }, pick };
    }),
  },
];

import { crds, customKind, schemaOf } from "../../custom-kind.ts";
import { apply, jsonPatch, merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { GET, PATCH, POST } from "../../requests.ts";
import { text } from "../../steps.ts";

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
  return POST(`${crds}?dryRun=All`, crd);
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
const opened = customKind("schema-opened", {
  schema: {
    openAPIV3Schema: schemaOf({
      any: { "x-kubernetes-preserve-unknown-fields": true },
      keyed: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: {
          type: "object",
          required: ["k"],
          properties: { k: text },
          "x-kubernetes-preserve-unknown-fields": true,
        },
      },
    }),
  },
});
const openedWith = (any: unknown, manager: string): RequestStep =>
  PATCH(`${opened.path}/one?fieldManager=${manager}`, merge, { spec: { any, keyed: [{ k: "a", any }] } });

/** Fields whose types change, each with a rule of its own. */
const misfits = {
  object: { stored: text, value: "x", now: { type: "object", properties: { a: text } }, rule: "has(self.a)" },
  list: { stored: text, value: "x", now: { type: "array", items: text }, rule: "self.size() > 5" },
  text: { stored: { type: "integer" }, value: 1, now: text, rule: "self == 'a'" },
  float: { stored: { type: "boolean" }, value: true, now: { type: "number" }, rule: "self > 5.0" },
  int: { stored: { type: "number" }, value: 1.5, now: { type: "integer" }, rule: "self > 5" },
  bool: { stored: { type: "array", items: text }, value: ["x"], now: { type: "boolean" }, rule: "!self" },
  either: { stored: open, value: { a: 1 }, now: { "x-kubernetes-int-or-string": true }, rule: "self == 1" },
};

type Misfit = (typeof misfits)[keyof typeof misfits];
const eachMisfit = (of: (misfit: Misfit) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(misfits).map(([name, misfit]) => [name, of(misfit)]));
const misfitKind = (properties: Record<string, unknown>) =>
  customKind("schema-misfits", { ...status, schema: { openAPIV3Schema: schemaOf(properties) } });
const misfitting = misfitKind(eachMisfit(({ stored }) => stored));
const misfitted = misfitKind({
  ...eachMisfit(({ now, rule }) => ({ ...now, ...rules({ rule }) })),
  marker: { ...text, default: "new" },
});
const misfitAt = `${misfitting.path}/one`;

export const scenarios: Scenarios = {
  "schema-values": [
    ...values.install,
    POST(values.path, values.object("one", spec({ mode: "a" }))),
    PATCH(at, jsonPatch, [{ op: "add", path: "/spec/mode", value: null }]),
    PATCH(at, merge, spec({ code: "ab" })),
    POST(values.path, values.object("two", { spec: {} })),
    PATCH(at, merge, spec({ any: { list: [{ b: null, c: [{ d: null }] }, null] } })),
    PATCH(at, merge, spec({ any: { list: { b: 1 } } })),
    PATCH(at, merge, spec({ any: { list: [{ b: null }] } })),
  ],
  "schema-definitions": [
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
    check("format-of-letters", property({ ...text, format: "é€" })),
  ],
  "schema-changes": {
    managedFields: true,
    steps: [
      ...changing.install,
      PATCH(
        `${changingAt}?fieldManager=one`,
        apply,
        changing.object("one", { spec: { a: { x: "1", y: "2" }, list: ["a"] } }),
      ),
      PATCH(`${changingAt}?fieldManager=two`, apply, changing.object("one", { spec: { a: { z: "3" } } })),
      POST(changing.path, changing.object("bare", { spec: { b: "x" } })),
      PATCH(`${changing.path}/bare`, merge, { metadata: { managedFields: [{}] } }),
      PATCH(`${crds}/${changing.crd.metadata.name}`, merge, { spec: { versions: [version] } }, { unrecorded: true }),
      GET(changingAt, { until: (body) => body.spec.marker === "new" }),
      PATCH(changingAt, merge, { metadata: { labels: { a: "b" } } }),
      PATCH(`${changingAt}?fieldManager=two&force=true`, apply, changing.object("one", { spec: { a: { z: "3" } } })),
      PATCH(`${changing.path}/bare?fieldManager=two`, apply, changing.object("bare", { spec: {} })),
    ],
  },
  "schema-opened": {
    managedFields: true,
    steps: [
      ...opened.install,
      POST(`${opened.path}?fieldManager=one`, opened.object("one", { spec: { any: { a: [1] } } })),
      openedWith("x", "two"),
      openedWith({ b: { c: 1 } }, "two"),
      openedWith({ b: 2 }, "one"),
      openedWith([1], "one"),
      openedWith({ b: { c: { d: 1 } } }, "three"),
      openedWith({}, "one"),
      openedWith(1, "two"),
      openedWith(null, "two"),
    ],
  },
  "schema-misfits": [
    ...misfitting.install,
    POST(misfitting.path, misfitting.object("one", { spec: eachMisfit(({ value }) => value) }), { unrecorded: true }),
    PATCH(
      `${crds}/${misfitting.crd.metadata.name}`,
      merge,
      { spec: { versions: misfitted.crd.spec.versions } },
      { unrecorded: true },
    ),
    GET(misfitAt, { until: (body) => body.spec.marker === "new" }),
    PATCH(misfitAt, merge, { metadata: { labels: { a: "b" } } }),
    PATCH(`${misfitAt}/status`, merge, { status: { n: 1 } }),
    {
      request: `PATCH ${misfitAt}/status?fieldManager=s`,
      headers: apply,
      body: misfitting.object("one", { status: {} }),
      // The rest is in a random order.
      pick: ({ code, message }) => ({ code, message: message.split("\n")[0] }),
    },
  ],
};

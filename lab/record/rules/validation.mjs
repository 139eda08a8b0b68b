// Asks a real API server about values that break a schema, and writes test/unit/apimachinery/recorded/validation.json.
//   node lab/record/rules/validation.mjs KUBECONFIG
// Run by hand. Each case is a field of its own in one CRD, so that one object is enough for all.
import { createServerCaller } from "./server-caller.mjs";
import { writeRecorded } from "./write-recorded.mjs";

const text = { type: "string" };
const integer = { type: "integer" };
const list = (items, more) => ({ type: "array", items, ...more });
const object = (properties, more) => ({ type: "object", properties, ...more });
const keyed = list(object({ k: text, v: integer }, { required: ["k"] }), {
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["k"],
});
const format = (name) => ({ type: "string", format: name });

const cases = [
  ["a text that is a number", text, 1],
  ["an integer that is a text", integer, "x"],
  ["an integer with a fraction", integer, 1.5],
  ["a number that is a boolean", { type: "number" }, true],
  ["a boolean that is a text", { type: "boolean" }, "true"],
  ["an object that is a list", object({}), []],
  ["a list that is an object", list(text), {}],
  ["an item of the wrong type", list(text), ["a", 1]],
  ["a map value of the wrong type", { type: "object", additionalProperties: integer }, { a: "x" }],
  ["null in a list", list(text), [null]],
  ["null in a map", { type: "object", additionalProperties: text }, { a: null }],
  ["missing field", object({ a: text, b: text }, { required: ["a", "b"] }), { b: "x" }],
  ["null in a required field", object({ a: text }, { required: ["a"] }), { a: null }],
  ["enum of texts", { ...text, enum: ["a", "b"] }, "c"],
  ["enum of numbers", { ...integer, enum: [1, 2] }, 3],
  ["minimum", { ...integer, minimum: 3 }, 2],
  ["maximum", { ...integer, maximum: 3 }, 4],
  ["exclusive minimum", { ...integer, minimum: 3, exclusiveMinimum: true }, 3],
  ["exclusive maximum", { type: "number", maximum: 3.5, exclusiveMaximum: true }, 3.5],
  ["minimum of a fraction", { type: "number", minimum: 0.5 }, 0.25],
  ["multiple", { ...integer, multipleOf: 5 }, 7],
  ["multiple of a fraction", { type: "number", multipleOf: 0.5 }, 0.7],
  ["too long", { ...text, maxLength: 3 }, "abcd"],
  ["too short", { ...text, minLength: 3 }, "ab"],
  ["too short by one", { ...text, minLength: 1 }, ""],
  ["length of other letters", { ...text, maxLength: 2 }, "äöü"],
  ["pattern", { ...text, pattern: "^[a-z]+$" }, "A"],
  ["too many items", list(integer, { maxItems: 2 }), [1, 2, 3]],
  ["too few items", list(integer, { minItems: 2 }), [1]],
  ["too few items, none", list(integer, { minItems: 1 }), []],
  ["too many properties", { type: "object", additionalProperties: integer, maxProperties: 1 }, { a: 1, b: 2 }],
  ["too few properties", { type: "object", additionalProperties: integer, minProperties: 2 }, { a: 1 }],
  ["set with a duplicate", list(text, { "x-kubernetes-list-type": "set" }), ["a", "b", "a"]],
  ["set with duplicates", list(integer, { "x-kubernetes-list-type": "set" }), [1, 1, 1]],
  ["list map with a duplicate", keyed, [{ k: "a" }, { k: "b" }, { k: "a", v: 1 }]],
  ["int32", { type: "integer", format: "int32" }, 3000000000],
  ["int or text", { "x-kubernetes-int-or-string": true }, true],
  ["int or text with a pattern", { "x-kubernetes-int-or-string": true, pattern: "^x" }, "y"],
  ["anyOf", { ...text, anyOf: [{ minLength: 3 }, { pattern: "^x" }] }, "a"],
  ["oneOf none", { ...text, oneOf: [{ minLength: 3 }, { pattern: "^x" }] }, "a"],
  ["oneOf both", { ...text, oneOf: [{ minLength: 1 }, { pattern: "^a" }] }, "a"],
  ["allOf", { ...text, allOf: [{ minLength: 3 }, { pattern: "^x" }] }, "a"],
  ["not", { ...text, not: { pattern: "^a" } }, "a"],
  ["oneOf required", object({ a: text, b: text }, { oneOf: [{ required: ["a"] }, { required: ["b"] }] }), {}],
  [
    "embedded without kind",
    { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    { a: 1 },
  ],
  ["date-time", format("date-time"), "2024-13-01"],
  ["date", format("date"), "2024-02-30"],
  ["duration", format("duration"), "1x"],
  ["byte", format("byte"), "*"],
  ["uuid", format("uuid"), "x"],
  ["ipv4", format("ipv4"), "1.2.3"],
  ["ipv6", format("ipv6"), "1.2.3.4"],
  ["cidr", format("cidr"), "1.2.3.4"],
  ["mac", format("mac"), "x"],
  ["email", format("email"), "x"],
  ["hostname", format("hostname"), "a b"],
  ["uri", format("uri"), "a b"],
  ["password", format("password"), "x"],
  ["unknown format", format("zzz"), "x"],
  ["good date-time", format("date-time"), "2024-01-01T00:00:00.5+02:00"],
  ["good duration", format("duration"), "1h30m"],
  ["duration of days", format("duration"), "2 days"],
  ["good uri", format("uri"), "https://e.com/a?b"],
  ["good email", format("email"), "a@b.c"],
];

const call = createServerCaller(process.argv[2]);
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const name = "checks.validation.example.com";

const fields = Object.fromEntries(cases.map(([, schema], index) => [`f${index}`, schema]));
const schema = { type: "object", properties: { spec: { type: "object", properties: fields } } };
const created = await call("POST", crds, {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name },
  spec: {
    group: "validation.example.com",
    scope: "Cluster",
    names: { plural: "checks", kind: "Check" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});
if (created.status !== 201) throw new Error(JSON.stringify(created.body.details?.causes ?? created.body));
const deadline = Date.now() + 20_000;
const recorded = {};
for (const [index, [title, fieldSchema, value]] of cases.entries()) {
  const object = {
    apiVersion: "validation.example.com/v1",
    kind: "Check",
    metadata: { name: "x" },
    spec: { [`f${index}`]: value },
  };
  let answer;
  do answer = await call("POST", "/apis/validation.example.com/v1/checks?dryRun=All", object);
  while (answer.status === 404 && Date.now() < deadline);
  recorded[title] = {
    schema: fieldSchema,
    field: `f${index}`,
    value,
    causes: answer.status === 201 ? [] : answer.body.details.causes,
  };
}
await call("DELETE", `${crds}/${name}`);
writeRecorded("apimachinery", "validation", recorded);

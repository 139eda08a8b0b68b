import { customKind, schemaOf } from "../custom-kind.ts";
import type { Scenario, Step } from "../scenario.ts";

const set = { type: "array", "x-kubernetes-list-type": "set", items: { type: "string", maxLength: 3 } };
const rich = customKind("validation", {
  schema: {
    openAPIV3Schema: schemaOf(
      {
        s: { type: "string", minLength: 2, maxLength: 5, pattern: "^[a-z]+$" },
        e: { type: "string", enum: ["a", "b"] },
        n: { type: "integer", minimum: 0, maximum: 10 },
        i32: { type: "integer", format: "int32" },
        f: { type: "number", multipleOf: 0.5, exclusiveMinimum: true, minimum: 1 },
        b: { type: "boolean" },
        l: { type: "array", maxItems: 2, minItems: 1, items: { type: "string" } },
        o: { type: "object", minProperties: 1, maxProperties: 2, additionalProperties: { type: "integer" } },
        req: { type: "object", required: ["k"], properties: { k: { type: "string" } } },
        dt: { type: "string", format: "date-time" },
        du: { type: "string", format: "duration" },
        ip: { type: "string", format: "ipv4" },
        oo: { type: "string", oneOf: [{ pattern: "^a" }, { pattern: "b$" }] },
        an: { type: "string", anyOf: [{ minLength: 3 }, { pattern: "^x" }] },
        no: { type: "string", not: { pattern: "^x" } },
        ios: { "x-kubernetes-int-or-string": true },
        nul: { type: "string", nullable: true },
        def: { type: "string", default: "d" },
        set,
        map: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["k"],
          items: { type: "object", required: ["k"], properties: { k: { type: "string" }, v: { type: "integer" } } },
        },
        emb: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
        any: { "x-kubernetes-preserve-unknown-fields": true },
        sets: { type: "object", additionalProperties: { type: "object", additionalProperties: set } },
      },
      {},
    ),
  },
});
const { path, object } = rich;

const invalid = (spec: Record<string, unknown>): Step => ({
  request: `POST ${path}?dryRun=All`,
  body: object("a", { spec }),
});

export const validationScenarios: readonly Scenario[] = [
  {
    name: "validation",
    steps: [
      ...rich.install,
      invalid({ s: 1 }),
      invalid({ s: "A" }),
      invalid({ s: "abcdef" }),
      invalid({ e: "c" }),
      invalid({ n: -1 }),
      invalid({ n: 11 }),
      invalid({ n: 1.5 }),
      invalid({ n: "1" }),
      invalid({ i32: 3_000_000_000 }),
      invalid({ f: 1 }),
      invalid({ f: 1.3 }),
      invalid({ b: "true" }),
      invalid({ l: [] }),
      invalid({ l: ["a", "b", "c"] }),
      invalid({ l: ["a", 1] }),
      invalid({ l: "a" }),
      invalid({ o: {} }),
      invalid({ o: { a: 1, b: 2, c: 3 } }),
      invalid({ o: { a: "x" } }),
      invalid({ req: {} }),
      invalid({ req: { k: null } }),
      invalid({ dt: "yesterday" }),
      invalid({ du: "1 day" }),
      invalid({ ip: "1.2.3" }),
      invalid({ oo: "zzz" }),
      invalid({ oo: "ab" }),
      invalid({ an: "z" }),
      invalid({ no: "xyz" }),
      invalid({ ios: 1.5 }),
      invalid({ ios: "x" }),
      invalid({ nul: null, def: null, s: null }),
      invalid({ set: ["a", "a"] }),
      invalid({ sets: { a: { "b.c": ["long", "a", "a"] } } }),
      invalid({ map: [{ k: "a" }, { k: "a" }] }),
      invalid({ map: [{ v: 1 }] }),
      invalid({ emb: { a: 1 } }),
      invalid({ emb: { apiVersion: "v1", kind: "Pod", metadata: { name: "Bad_", nope: 1 }, spec: { x: 1 } } }),
      invalid({ any: { deep: [1, { x: null }] } }),
      invalid({ s: 1, n: "x", e: "c" }),
      { request: `POST ${path}`, body: { ...object("a"), spec: "text" } },
      { request: `POST ${path}`, body: { ...object("a"), spec: null } },
    ],
  },
  {
    name: "field-validation",
    steps: [
      ...customKind("fields").install,
      ...[
        "?fieldValidation=Ignore",
        "?fieldValidation=Warn",
        "",
        "?fieldValidation=Strict",
        "?fieldValidation=Bogus",
      ].map((query): Step => ({
        request: `POST ${customKind("fields").path}${query}${query ? "&" : "?"}dryRun=All`,
        body: customKind("fields").object("a", { spec: { x: "1", y: 2, z: { w: 1 } }, extra: true }),
      })),
      {
        request: `POST ${customKind("fields").path}?fieldValidation=Strict&dryRun=All`,
        body: '{"apiVersion":"fields.example.com/v1","kind":"Thing","metadata":{"name":"a","name":"b"},"spec":{"x":"1","x":"2","y":1}}',
      },
      {
        request: `POST ${customKind("fields").path}?dryRun=All`,
        body: '{"apiVersion":"fields.example.com/v1","kind":"Thing","metadata":{"name":"a","nope":1,"labels":{"a":"1","a":"2"}},"spec":{"x":"1","x":"2"}}',
      },
      {
        request: `POST ${customKind("fields").path}?fieldValidation=Strict&dryRun=All`,
        body: '{"apiVersion":"fields.example.com/v1","kind":"Thing","metadata":{"name":"a","nope":1}}',
      },
      {
        request: `POST /api/v1/namespaces/{ns}/configmaps?fieldValidation=Strict&dryRun=All`,
        body: { metadata: { name: "a", nope: 1 }, data: { a: "b" }, more: 1 },
      },
      {
        request: `POST /api/v1/namespaces/{ns}/configmaps?dryRun=All`,
        body: { metadata: { name: "a" }, data: { a: "b" }, more: 1 },
      },
      {
        request: `POST /api/v1/namespaces/{ns}/configmaps?dryRun=All`,
        body: { metadata: { name: "a" }, data: { a: 1 } },
      },
    ],
  },
];

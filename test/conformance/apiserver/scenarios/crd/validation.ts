import { customKind, schemaOf } from "../../custom-kind.ts";
import type { Scenario, Step } from "../../scenario.ts";
import { POST } from "../../requests.ts";

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
const invalid = (spec: Record<string, unknown>): Step => POST(`${path}?dryRun=All`, object("a", { spec }));

export const scenarios: readonly Scenario[] = [
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
      POST(path, { ...object("a"), spec: "text" }),
      POST(path, { ...object("a"), spec: null }),
    ],
  },
];

import { describe, expect, it } from "vitest";
import { applyDefaults } from "../../../../src/apimachinery/schema/apply-defaults.ts";
import type { JsonSchema } from "../../../../src/apimachinery/json-schema.ts";
import { pruneUnknown } from "../../../../src/apimachinery/schema/prune.ts";
import { validateValue } from "../../../../src/apimachinery/schema/validate-value.ts";

const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  ...more,
});

describe("pruneUnknown", () => {
  it("drops undeclared fields and reports them", () => {
    const value = { metadata: { labels: {} }, spec: { a: 1, zz: 2, list: [{ b: 1, c: 2 }] }, other: {} };
    const dropped: string[] = [];
    const schema = object({
      spec: object({ a: { type: "integer" }, list: { type: "array", items: object({ b: { type: "integer" } }) } }),
    });
    pruneUnknown(schema, value, (path) => dropped.push(path));
    expect(value).toEqual({ metadata: { labels: {} }, spec: { a: 1, list: [{ b: 1 }] } });
    expect(dropped.toSorted()).toEqual(["other", "spec.list[0].c", "spec.zz"]);
  });

  it("keeps preserved fields, but prunes inside declared ones", () => {
    const value = { free: { x: 1, known: { y: 1 } } };
    pruneUnknown(
      object({ free: object({ known: object({}) }, { "x-kubernetes-preserve-unknown-fields": true }) }),
      value,
    );
    expect(value).toEqual({ free: { x: 1, known: {} } });
  });

  it("keeps the envelope of embedded resources", () => {
    const value = { pod: { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: {} } };
    pruneUnknown(object({ pod: object({}, { "x-kubernetes-embedded-resource": true }) }), value);
    expect(value).toEqual({ pod: { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } } });
  });
});

describe("applyDefaults", () => {
  const schema = object({
    size: { type: "integer", default: 1 },
    nested: object({ a: { type: "string", default: "x" } }),
    whole: object({ a: { type: "string", default: "x" } }, { default: {} }),
    free: { type: "string", nullable: true, default: "y" },
  });

  it.each([
    ["sets missing fields, nested ones only in an existing parent", {}, { size: 1, whole: { a: "x" }, free: "y" }],
    ["descends into existing parents", { nested: {} }, { size: 1, nested: { a: "x" }, whole: { a: "x" }, free: "y" }],
    [
      "replaces a disallowed null with the default",
      { size: null, free: null },
      { size: 1, whole: { a: "x" }, free: null },
    ],
    ["keeps existing values", { size: 3, whole: { a: "b" }, free: "z" }, { size: 3, whole: { a: "b" }, free: "z" }],
  ])("%s", (_name, value, result) => {
    applyDefaults(schema, value);
    expect(value).toEqual(result);
  });

  it("copies defaults, so that objects share no values", () => {
    const [a, b]: Record<string, any>[] = [{}, {}];
    applyDefaults(schema, a);
    applyDefaults(schema, b);
    a!["whole"].a = "changed";
    expect(b!["whole"].a).toBe("x");
  });
});

describe("validateValue", () => {
  it.each<[string, JsonSchema, unknown, string[]]>([
    [
      "type",
      { type: "integer" },
      "x",
      ['spec.f: Invalid value: "string": spec.f in body must be of type integer: "string"'],
    ],
    ["accepts a whole number as a number", { type: "number" }, 1, []],
    [
      "rejects a fraction as an integer",
      { type: "integer" },
      1.5,
      [
        'spec.f: Invalid value: "number": spec.f in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.f',
      ],
    ],
    [
      "maximum",
      { type: "integer", maximum: 3 },
      5,
      ["spec.f: Invalid value: 5: spec.f in body should be less than or equal to 3"],
    ],
    [
      "exclusive minimum",
      { type: "integer", minimum: 1, exclusiveMinimum: true },
      1,
      ["spec.f: Invalid value: 1: spec.f in body should be greater than 1"],
    ],
    ["multiple", { type: "number", multipleOf: 0.1 }, 0.3, []],
    [
      "no multiple",
      { type: "number", multipleOf: 0.5 },
      0.3,
      ["spec.f: Invalid value: 0.3: spec.f in body should be a multiple of 0.5"],
    ],
    ["enum", { type: "string", enum: ["a", "b"] }, "x", ['spec.f: Unsupported value: "x": supported values: "a", "b"']],
    ["length counts characters", { type: "string", maxLength: 1 }, "😀", []],
    ["too long", { type: "string", maxLength: 2 }, "abc", ["spec.f: Too long: may not be more than 2 bytes"]],
    [
      "too short",
      { type: "string", minLength: 2 },
      "a",
      ['spec.f: Invalid value: "a": spec.f in body should be at least 2 chars long'],
    ],
    [
      "pattern",
      { type: "string", pattern: "^[a-z]+$" },
      "A",
      ["spec.f: Invalid value: \"A\": spec.f in body should match '^[a-z]+$'"],
    ],
    ["pattern flags", { type: "string", pattern: "(?i)^[a-z]+$" }, "A", []],
    [
      "format",
      { type: "string", format: "date-time" },
      "x",
      ['spec.f: Invalid value: "x": spec.f in body must be of type date-time: "x"'],
    ],
    [
      "int-or-string",
      { "x-kubernetes-int-or-string": true },
      true,
      ['spec.f: Invalid value: "boolean": spec.f in body must be of type integer,string: "boolean"'],
    ],
    [
      "too many items",
      { type: "array", items: { type: "integer" }, maxItems: 1 },
      [1, 2],
      ["spec.f: Too many: 2: must have at most 1 item"],
    ],
    [
      "too few items",
      { type: "array", items: { type: "integer" }, minItems: 1 },
      [],
      ["spec.f: Invalid value: 0: spec.f in body should have at least 1 items"],
    ],
    [
      "set",
      { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
      ["a", "a"],
      ['spec.f[1]: Duplicate value: "a"'],
    ],
    [
      "list map",
      {
        type: "array",
        items: object({ k: { type: "string" } }),
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
      },
      [{ k: "a" }, { k: "a" }],
      ['spec.f[1]: Duplicate value: {"k":"a"}'],
    ],
    ["required", object({ a: { type: "string" } }, { required: ["a"] }), {}, ["spec.f.a: Required value"]],
    [
      "null",
      { type: "string" },
      null,
      ['spec.f: Invalid value: "null": spec.f in body must be of type string: "null"'],
    ],
    ["nullable", { type: "string", nullable: true }, null, []],
    [
      "oneOf",
      { type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }] },
      {},
      [
        '<nil>: Invalid value: "": "spec.f" must validate one and only one schema (oneOf). Found none valid',
        "spec.f.a: Required value",
      ],
    ],
    [
      "int32",
      { type: "integer", format: "int32" },
      2 ** 31,
      ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.f'],
    ],
  ])("%s", (_name, schema, value, expected) => {
    expect(
      validateValue(schema, value, { path: "spec.f" }).map(({ field, message }) => `${field}: ${message}`),
    ).toEqual(expected);
  });

  it("reports the first 1,000 errors of a list, and of each branch", () => {
    const list: JsonSchema = { type: "array", items: { type: "string" }, allOf: [{ items: { minimum: 1 } }] };
    const errors = validateValue({ type: "object", additionalProperties: list }, { a: Array(150_000).fill(0) });
    expect(errors).toHaveLength(2_001);
  });

  it("reports that a value needs too many checks, also if a branch must not match", () => {
    const branches = Array.from({ length: 1_000 }, (_, index) => ({ enum: [index] }));
    const items: JsonSchema = { not: { anyOf: branches } };
    const tooMany = "the schema needs more than 400000 checks for this value";
    expect(validateValue({ type: "array", items }, Array(1_000).fill(5_000))).toMatchObject([
      { field: "<nil>", message: `Invalid value: ${tooMany}` },
    ]);
    expect(validateValue({ type: "array", items }, Array(100).fill(5_000))).toEqual([]);
  });

  it("counts the steps of RE2 for a text as checks", () => {
    const schema: JsonSchema = { type: "string", pattern: "^(x{10}|y)*$" };
    expect(validateValue(schema, "x".repeat(100_000))).toEqual([]);
    const [error] = validateValue(schema, "x".repeat(1_000_000), { path: "spec.f" });
    expect(error).toMatchObject({ field: "spec.f", message: expect.stringContaining("more than 400000 checks") });
  });

  it("compares a value with thousands of others at once", () => {
    const items: JsonSchema = { enum: [...Array(20_000).keys(), "1", null, { a: 1 }, [2]] };
    const values = [7, 7.5, "1", null, { a: 1 }, [2], "2", { a: 2 }, false];
    const errors = validateValue({ type: "array", items }, values);
    expect(errors.map(({ field }) => field)).toEqual(["[6]", "[7]", "[8]"]);
  });

  it("cuts paths below a long key", () => {
    const schema: JsonSchema = { additionalProperties: { additionalProperties: { type: "integer" } } };
    const [error] = validateValue(schema, { ["k".repeat(5_000)]: { a: "x" } });
    expect(error?.field).toHaveLength(1_025);
  });
});

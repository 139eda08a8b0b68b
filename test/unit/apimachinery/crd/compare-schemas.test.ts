import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../../src/apimachinery/json-schema.ts";
import { compareSchemas } from "../../../../src/apimachinery/crd/compare-schemas.ts";

const string: JsonSchema = { type: "string" };
const marks = { safe: "", "breaks readers": "?", "breaks writers": "!", "loses stored data": "!!" };

describe("compareSchemas", () => {
  it.each<[string, JsonSchema, JsonSchema, string[]]>([
    ["a new field", {}, { properties: { a: string } }, ["a added"]],
    ["a new required field", {}, { properties: { a: string }, required: ["a"] }, ["a added!", " required!"]],
    [
      "a new required field with a default",
      {},
      { properties: { a: { ...string, default: "x" } }, required: ["a"] },
      ["a added", " required"],
    ],
    ["a removed field", { properties: { a: string } }, {}, ["a removed!!"]],
    ["another type, in a list", list(string), list({ type: "integer" }), ["a[] type!"]],
    ["another type, in a map", map(string), map({ type: "integer" }), ["a[key] type!"]],
    ["a lower limit", a({ maxLength: 3 }), a({ maxLength: 2 }), ["a maxLength!"]],
    ["a higher limit", a({ maxLength: 3 }), a({ maxLength: 4 }), ["a maxLength"]],
    ["a new limit", a({}), a({ minLength: 1 }), ["a minLength!"]],
    ["no limit any more", a({ pattern: "a" }), a({}), ["a pattern"]],
    ["another default", a({ default: "a" }), a({ default: "b" }), ["a default?"]],
    ["a default where there was none", a({}), a({ default: "b" }), ["a default"]],
    ["no default any more", a({ default: "a" }), a({}), ["a default?"]],
    [
      "a map whose keys are no longer free",
      map(string),
      { properties: { a: { type: "object" } } },
      ["a additionalProperties!!"],
    ],
    [
      "unknown fields that are dropped",
      { "x-kubernetes-preserve-unknown-fields": true },
      {},
      [" x-kubernetes-preserve-unknown-fields!!"],
    ],
    [
      "a removed field that is kept as an unknown one",
      { properties: { a: string } },
      { "x-kubernetes-preserve-unknown-fields": true },
      ["a removed", " x-kubernetes-preserve-unknown-fields"],
    ],
    ["another merge of a map", a({}), a({ "x-kubernetes-map-type": "atomic" }), ["a x-kubernetes-map-type"]],
    ["items that must differ", a({}), a({ "x-kubernetes-list-type": "set" }), ["a x-kubernetes-list-type!"]],
    ["items that may be equal", a({ "x-kubernetes-list-type": "set" }), a({}), ["a x-kubernetes-list-type"]],
    ["a new value of an enum", a({ enum: ["a"] }), a({ enum: ["a", "b"] }), ["a enum?"]],
    ["a value that is gone from an enum", a({ enum: ["a", "b"] }), a({ enum: ["a"] }), ["a enum!"]],
    [
      "the types of an int-or-string, said or not",
      a({ "x-kubernetes-int-or-string": true }),
      a({ "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, string] }),
      [],
    ],
    ["a field that may be null", a({}), a({ nullable: true }), ["a nullable?"]],
    ["a rule more", rules("self > 1"), rules("self > 1", "self > 2"), [" x-kubernetes-validations!"]],
    ["a rule less", rules("self > 1", "self > 2"), rules("self > 2"), [" x-kubernetes-validations"]],
    ["a field that may be absent", required(["a"]), required([]), [" required"]],
    [
      "texts, order and idle keywords",
      a({ description: "x", enum: ["a", "b"] }),
      a({ nullable: false, enum: ["b", "a"] }),
      [],
    ],
    ["the fields of every object", { required: ["metadata"], properties: { kind: string } }, {}, []],
  ])("finds %s", (_title, before, after, expected) => {
    const found = compareSchemas({ type: "object", ...before }, { type: "object", ...after });
    expect(found.map(({ path, what, verdict }) => `${path} ${what}${marks[verdict]}`)).toEqual(expected);
  });
});

function a(keywords: JsonSchema): JsonSchema {
  return { properties: { a: { ...string, ...keywords } } };
}

function list(items: JsonSchema): JsonSchema {
  return { properties: { a: { type: "array", items } } };
}

function map(additionalProperties: JsonSchema): JsonSchema {
  return { properties: { a: { type: "object", additionalProperties } } };
}

function required(names: string[]): JsonSchema {
  return { ...a({}), required: names };
}

function rules(...texts: string[]): JsonSchema {
  return { "x-kubernetes-validations": texts.map((rule) => ({ rule })) };
}

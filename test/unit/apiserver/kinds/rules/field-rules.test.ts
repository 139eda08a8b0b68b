import { expect, it } from "vitest";
import {
  anyText,
  discriminated,
  enumOf,
  fieldRules,
  format,
  ifParent,
  maxItems,
  maximum,
  maxLength,
  minimum,
  must,
  refused,
  required,
  type Rows,
  text,
  union,
  unique,
} from "../../../../../src/apiserver/kinds/rules/field-rules.ts";
import { dnsLabelErrors } from "../../../../../src/apiserver/kinds/rules/name-errors.ts";

/** Returns the errors as `field: reason`. */
function errorsOf(rows: Rows, object: object): string[] {
  return fieldRules(rows)(object as Record<string, unknown>).map(({ field, reason }) => `${field}: ${reason}`);
}

it.each<[string, Rows, object, string[]]>([
  ["a field below another", { "a.b": minimum(1) }, { a: { b: 0 } }, ["a.b: FieldValueInvalid"]],
  ["items of a list", { "a[].b": minimum(1) }, { a: [{ b: 1 }, { b: 0 }] }, ["a[1].b: FieldValueInvalid"]],
  ["values of a map", { "a{}": maximum(1) }, { a: { x: 2 } }, ["a[x]: FieldValueInvalid"]],
  ["several fields", { "(a|b)": minimum(1) }, { a: 0, b: 0 }, ["a: FieldValueInvalid", "b: FieldValueInvalid"]],
  ["rows below a path", { "a[]": { b: required() } }, { a: [{}] }, ["a[0].b: FieldValueRequired"]],
  ["the object itself", { ".": union("a", "b") }, { a: 1, b: 2 }, ["b: FieldValueForbidden"]],
  ["nothing below an absent object", { "a.b": required() }, {}, []],
])("checks %s", (_where, rows, object, errors) => {
  expect(errorsOf(rows, object)).toEqual(errors);
});

it.each<[string, Rows, object, string[]]>([
  ["required", { a: required() }, { a: "" }, ["a: FieldValueRequired"]],
  ["enumOf", { a: enumOf("x") }, { a: "y" }, ["a: FieldValueNotSupported"]],
  ["maxLength", { a: maxLength(1) }, { a: "xy" }, ["a: FieldValueTooLong"]],
  ["maxItems", { a: maxItems(1) }, { a: [1, 2] }, ["a: FieldValueTooMany"]],
  ["format", { a: format("k8s-short-name") }, { a: "A_b" }, ["a: FieldValueInvalid"]],
  ["unique", { a: unique("n") }, { a: [{ n: 1 }, { n: 1 }] }, ["a[1]: FieldValueDuplicate"]],
  ["refused", { a: refused("why") }, { a: 1 }, ["a: FieldValueForbidden"]],
  ["union", { ".": union("a", "b") }, {}, [": FieldValueRequired"]],
  ["must", { a: must((a: number) => a % 2 === 1, "must be odd") }, { a: 2 }, ["a: FieldValueInvalid"]],
  ["ifParent", { a: ifParent(({ b }) => b === 1, minimum(1)) }, { a: 0, b: 1 }, ["a: FieldValueInvalid"]],
  ["text", { a: text(dnsLabelErrors) }, { a: "A" }, ["a: FieldValueInvalid"]],
  ["anyText", { a: anyText(dnsLabelErrors) }, { a: "" }, ["a: FieldValueInvalid"]],
  [
    "a rule with a condition on the checked object",
    {
      "a.b": ifParent(
        (_a, { c }) => c === 1,
        must((_b, _a, { c }) => c !== 1, "must not be there"),
      ),
    },
    { a: { b: 0 }, c: 1 },
    ["a.b: FieldValueInvalid"],
  ],
  [
    "discriminated",
    { ".": discriminated("type", { A: "a", B: "b" }) },
    { type: "A", b: {} },
    ["a: FieldValueRequired"],
  ],
])("%s refuses what breaks it", (_name, rows, object, errors) => {
  expect(errorsOf(rows, object)).toEqual(errors);
});

it("accepts absent values, and what fits", () => {
  const rows: Rows = {
    a: [minimum(1), maximum(3), must((a: number) => a === 2, "must be two")],
    b: [enumOf("x"), maxLength(1), format("k8s-long-name")],
    c: [maxItems(2), unique()],
    d: ifParent(({ b }) => b === "y", refused("why")),
  };
  expect(errorsOf(rows, {})).toEqual([]);
  expect(errorsOf(rows, { a: 2, b: "x", c: [1, 2], d: 1 })).toEqual([]);
});

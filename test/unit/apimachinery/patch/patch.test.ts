import { describe, expect, it } from "vitest";
import { applyJsonPatch, createJsonPatch, JsonPatchError } from "../../../../src/apimachinery/patch/json-patch.ts";
import { applyMergePatch, createMergePatch } from "../../../../src/apimachinery/patch/merge-patch.ts";

describe("merge patch", () => {
  it.each([
    ["sets and removes fields", { a: 1, b: 2 }, { b: null, c: 3 }, { a: 1, c: 3 }],
    ["descends into objects", { a: { b: 1, c: 2 } }, { a: { b: null } }, { a: { c: 2 } }],
    ["replaces lists", { a: [1, 2] }, { a: [3] }, { a: [3] }],
    ["replaces a scalar by an object", { a: 1 }, { a: { b: { c: 1, d: null } } }, { a: { b: { c: 1 } } }],
  ])("%s", (_name, target, patch, result) => {
    expect(applyMergePatch(target, patch)).toEqual(result);
  });

  it.each([
    [{ a: 1 }, { a: 1 }, {}],
    [{ a: 1, b: { c: 1 } }, { b: { c: 2, d: [1] } }, { a: null, b: { c: 2, d: [1] } }],
    [{ a: [1, 2] }, { a: [1] }, { a: [1] }],
  ])("creates a patch from %j to %j", (from, to, patch) => {
    expect(createMergePatch(from, to)).toEqual(patch);
    expect(applyMergePatch(from, patch)).toEqual(to);
  });
});

describe("JSON patch", () => {
  const document = { a: [1, 2, 3], b: { "x/y": 1, "~": 2 } };

  it.each([
    ["adds at an index", [{ op: "add", path: "/a/1", value: 9 }], { a: [1, 9, 2, 3] }],
    ["appends", [{ op: "add", path: "/a/-", value: 9 }], { a: [1, 2, 3, 9] }],
    ["counts a negative index from the end", [{ op: "replace", path: "/a/-1", value: 9 }], { a: [1, 2, 9] }],
    [
      "reads escaped keys",
      [
        { op: "replace", path: "/b/x~1y", value: 9 },
        { op: "remove", path: "/b/~0" },
      ],
      { b: { "x/y": 9 } },
    ],
    ["moves", [{ op: "move", from: "/b", path: "/c" }], { b: undefined, c: document.b }],
    ["copies", [{ op: "copy", from: "/a/0", path: "/c" }], { c: 1 }],
    ["copies null from a missing field", [{ op: "copy", from: "/zz", path: "/c" }], { c: null }],
    ["adds a field that replace does not find", [{ op: "replace", path: "/c", value: 1 }], { c: 1 }],
    ["treats a missing value as null in a test", [{ op: "test", path: "/zz", value: null }], {}],
    ["ignores the part of a path before its first slash", [{ op: "add", path: "b/c", value: 1 }], { c: 1 }],
    ["sets a field named __proto__", [{ op: "add", path: "/__proto__", value: 1 }], { ["__proto__"]: 1 }],
  ])("%s", (_name, operations, changes) => {
    const before = structuredClone(document);
    expect(applyJsonPatch(document, operations)).toEqual({ ...document, ...changes });
    expect(document).toEqual(before);
  });

  it.each([
    ["test", [{ op: "test", path: "/a/0", value: 2 }]],
    ["an index beyond the end", [{ op: "add", path: "/a/4", value: 1 }]],
    ["a missing parent", [{ op: "add", path: "/c/d", value: 1 }]],
    ["a missing field to remove", [{ op: "remove", path: "/c" }]],
    ["a path without a slash", [{ op: "add", path: "c", value: 1 }]],
    ["an unknown operation", [{ op: "paint", path: "/a" }]],
  ])("rejects %s", (_name, operations) => {
    expect(() => applyJsonPatch(document, operations)).toThrow(JsonPatchError);
  });

  it.each([
    [{ a: 1, b: [1, 2, 3] }, { b: [1, 9] }],
    [{ a: { b: 1 } }, { a: { b: 1, "c/d": [{ e: 1 }] } }],
    [{ list: [{ a: 1 }] }, { list: [{ a: 2 }, { b: 1 }, { c: 1 }] }],
  ])("creates a patch from %j to %j", (from, to) => {
    expect(applyJsonPatch(from, createJsonPatch(from, to))).toEqual(to);
  });
});

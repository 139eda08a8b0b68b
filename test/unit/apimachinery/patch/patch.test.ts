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
  const document = { a: [1, 2, 3], b: { "x/y": 1, "~": 2 }, n: null };

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
    ["moves null", [{ op: "move", from: "/n", path: "/c" }], { n: undefined, c: null }],
    ["appends at the last of the negative indexes", [{ op: "add", path: "/a/-1", value: 9 }], { a: [1, 2, 3, 9] }],
    ["adds null without a value", [{ op: "add", path: "/c" }], { c: null }],
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
    [{ op: "test", path: "/a/0", value: 2 }, "testing value /a/0 failed: test failed"],
    [{ op: "test", path: "/c/0" }, "test operation does not apply: is missing path: /c/0: missing value"],
    [{ op: "test", path: "/a/x" }, `error in test for path: '/a/x': strconv.Atoi: parsing "x": invalid syntax`],
    [
      { op: "add", path: "/a/4", value: 1 },
      "error in add for path: '/a/4': Unable to access invalid index: 4: invalid index referenced",
    ],
    [
      { op: "add", path: "/a/b", value: 1 },
      `error in add for path: '/a/b': value was not a proper array index: 'b': strconv.Atoi: parsing "b": invalid syntax`,
    ],
    [{ op: "add", path: "/c/d", value: 1 }, 'add operation does not apply: doc is missing path: "/c/d": missing value'],
    [{ op: "add", path: "c", value: 1 }, 'add operation does not apply: doc is missing path: "c": missing value'],
    [
      { op: "remove", path: "/c" },
      "error in remove for path: '/c': Unable to remove nonexistent key: c: missing value",
    ],
    [
      { op: "replace", path: "/a/3", value: 1 },
      "replace operation does not apply: doc is missing key: /a/3: missing value",
    ],
    [{ op: "replace", path: "", value: 1 }, "replace operation value must be object or array"],
    [
      { op: "move", from: "/c", path: "/a/0" },
      "error in move for path: 'c': Unable to remove nonexistent key: c: missing value",
    ],
    [
      { op: "copy", from: "/a/0", path: "/c/d" },
      "copy operation does not apply: doc is missing destination path: /c/d: missing value",
    ],
    [
      { op: "copy", from: "/a/3", path: "/c" },
      "error in copy for from: '/a/3': Unable to access invalid index: 3: invalid index referenced",
    ],
    [{ op: "copy", path: "/c" }, "copy operation failed to decode from: operation, missing from field: missing value"],
    [{ op: "test" }, "test operation failed to decode path: operation missing path field: missing value"],
    [{ op: "add" }, "add operation failed to decode path: missing value"],
    [{ op: "paint", path: "/a" }, "Unexpected kind: paint"],
  ])("rejects %j", (operation, message) => {
    expect(() => applyJsonPatch(document, [operation as never])).toThrow(new JsonPatchError(message));
  });

  it.each([
    [{ a: 1, b: [1, 2, 3] }, { b: [1, 9] }],
    [{ a: { b: 1 } }, { a: { b: 1, "c/d": [{ e: 1 }] } }],
    [{ list: [{ a: 1 }] }, { list: [{ a: 2 }, { b: 1 }, { c: 1 }] }],
  ])("creates a patch from %j to %j", (from, to) => {
    expect(applyJsonPatch(from, createJsonPatch(from, to))).toEqual(to);
  });
});

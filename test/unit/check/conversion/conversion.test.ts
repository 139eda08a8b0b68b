import { expect, it } from "vitest";
import { diffValues, edited, formatPath, valueAt } from "../../../../src/check/conversion/conversion.ts";
import { Hub, sample, versionOf } from "./caches.ts";

it.each([
  ["a field that is gone", { a: 1, b: 2 }, { b: 2 }, [{ path: "/a", before: 1, after: undefined }]],
  ["a field that is new", {}, { a: { b: 1 } }, [{ path: "/a", before: undefined, after: { b: 1 } }]],
  ["an item", { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, [{ path: "/a/0/b", before: 1, after: 2 }]],
  ["a key with a slash", { "a/b": 1 }, { "a/b": 2 }, [{ path: "/a~1b", before: 1, after: 2 }]],
  ["nothing", { a: [1, {}] }, { a: [1, {}] }, []],
])("finds %s", (_name, before, after, expected) => {
  expect(diffValues(before, after)).toEqual(expected);
});

it.each([
  ["/spec/env/0/value", "spec.env[0].value", "spec.env[*].value"],
  ["/spec/env/-", "spec.env[-]", "spec.env[*]"],
  ["/spec/labels/a~1b", "spec.labels.a/b", "spec.labels.*"],
  ["/spec/image", "spec.image", "spec.image"],
  ["/metadata/ownerReferences", "metadata.ownerReferences", "metadata.ownerReferences"],
])("formats %s, also for all items and keys", (path, one, all) => {
  expect(formatPath(path)).toBe(one);
  expect(formatPath(path, versionOf(Hub).schema)).toBe(all);
});

it("changes an object only where it has a place", () => {
  expect(valueAt(edited(sample, { op: "replace", path: "/spec/mode", value: "Safe" }), "/spec/mode")).toBe("Safe");
  expect(edited(sample, { op: "replace", path: "/status/nodes/0", value: "a" })).toBeUndefined();
  expect(sample["spec"]).not.toHaveProperty("mode");
});

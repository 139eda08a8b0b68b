import { expect, it } from "vitest";
import { describeChange } from "../../../src/check/oracles/describe-change.ts";

const objectWith = (generation: number, rest: object) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", resourceVersion: `${generation}`, generation },
  ...rest,
});

it.each([
  ["a number", { spec: { replicas: 1 } }, { spec: { replicas: 2 } }, "spec.replicas = 2 instead of 1"],
  [
    "a time",
    { status: { at: "2026-01-01T00:00:00Z" } },
    { status: {} },
    'status.at = nothing instead of "2026-01-01T00:00:00Z"',
  ],
  ["an order", { list: ["a", "b"] }, { list: ["b", "a"] }, 'list.0 = "b" instead of "a" (and 1 more)'],
  ["what the server sets", {}, {}, "only what the server sets, such as metadata.managedFields"],
])("describes %s", (_, before, after, text) => {
  expect(describeChange({ id: "id", before: objectWith(1, before), after: objectWith(2, after) })).toBe(text);
});

it("shortens long values, and describes whole objects", () => {
  const after = objectWith(1, { data: { key: "x".repeat(100) } });
  expect(describeChange({ id: "id", before: objectWith(1, {}), after })).toMatch(/^data = .{60}… instead of nothing$/);
  expect(describeChange({ id: "id", before: undefined, after })).toBe("it is created");
  expect(describeChange({ id: "id", before: after, after: undefined })).toBe("it is deleted");
});

import { expect, it } from "vitest";
import { compareResourceVersions } from "../../../../src/runtime/cache/resource-version.ts";

it.each<[string | undefined, string | undefined, number | undefined]>([
  ["5", "5", 0],
  ["5", "6", -1],
  ["10", "9", 1],
  ["99999999999999999999", "100000000000000000000", -1],
  ["05", "5", undefined],
  ["", "5", undefined],
  [undefined, "5", undefined],
  ["abc", "5", undefined],
])("compares %s with %s", (a, b, expected) => {
  const result = compareResourceVersions(a, b);
  expect(result === undefined ? undefined : Math.sign(result)).toBe(expected);
});

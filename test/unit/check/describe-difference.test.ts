import { expect, it } from "vitest";
import { describeDifference } from "../../../src/check/oracles/describe-difference.ts";

it.each([
  ["1", "2", "id has data.a = 2 instead of 1"],
  [undefined, "2", "id has data.a = 2 instead of nothing"],
  ["a\nb\nc", "a\nx\nc", "id has “x” instead of “b” in line 2 of data.a"],
  ["a\nb", "a", "id has nothing instead of “b” in line 2 of data.a"],
  [undefined, "a\nb", "id has “a” instead of nothing in line 1 of data.a"],
])("describes the difference of %j and %j", (expected, actual, text) => {
  expect(describeDifference({ id: "id", path: "data.a", expected, actual })).toBe(text);
});

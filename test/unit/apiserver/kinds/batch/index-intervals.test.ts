import { expect, it } from "vitest";
import { haveCommonIndex } from "../../../../../src/apiserver/kinds/batch/index-intervals.ts";

it.each([
  ["0-2,5", "3-4,6", false],
  ["0-2,5", "5-7", true],
  ["1,3,5", "0,2,4", false],
  ["0-3,8-9", "2-8", true],
  ["", "1", false],
  ["x,4", "4", false],
  ["0-20,30", "1-2,100", false],
])("%j and %j have a common index: %s", (a, b, isCommon) => {
  expect(haveCommonIndex(a, b, 100)).toBe(isCommon);
  expect(haveCommonIndex(b, a, 100)).toBe(isCommon);
});

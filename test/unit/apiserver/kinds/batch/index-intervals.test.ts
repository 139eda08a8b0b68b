import { expect, it } from "vitest";
import { firstCommonIndex } from "../../../../../src/apiserver/kinds/batch/index-intervals.ts";

it.each([
  ["0-2,5", "3-4,6", undefined],
  ["0-2,5", "5-7", 5],
  ["1,3,5", "0,2,4", undefined],
  ["0-10", "7,3", 3],
  ["8-9,0-3", "2-8", 2],
  ["", "1", undefined],
  ["x,4", "4,1-2-3", 4],
  ["0-20,1-2", "30,19", 19],
])("the first index of %j and %j is %s", (a, b, index) => {
  expect(firstCommonIndex(a, b, 100)).toBe(index);
  expect(firstCommonIndex(b, a, 100)).toBe(index);
});

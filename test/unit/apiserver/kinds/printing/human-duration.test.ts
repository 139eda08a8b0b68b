import { expect, it } from "vitest";
import { ageOf, humanDuration } from "../../../../../src/apiserver/kinds/printing/printer.ts";

const [s, m, h, d, y] = [1000, 60_000, 3_600_000, 86_400_000, 31_536_000_000];

it.each([
  [-2 * s, "<invalid>"],
  [-1.5 * s, "0s"],
  [0, "0s"],
  [1.9 * s, "1s"],
  [119 * s, "119s"],
  [120 * s, "2m"],
  [125 * s, "2m5s"],
  [10 * m + 5 * s, "10m"],
  [179 * m, "179m"],
  [3 * h, "3h"],
  [3 * h + 20 * m, "3h20m"],
  [8 * h + 20 * m, "8h"],
  [47 * h, "47h"],
  [2 * d, "2d"],
  [2 * d + 3 * h, "2d3h"],
  [8 * d + 3 * h, "8d"],
  [729 * d, "729d"],
  [2 * y, "2y"],
  [2 * y + 5 * d, "2y5d"],
  [8 * y + 5 * d, "8y"],
])("shows %d ms as %s", (milliseconds, text) => {
  expect(humanDuration(milliseconds)).toBe(text);
});

it("marks missing and unreadable times", () => {
  expect([ageOf(undefined, 0), ageOf("garbage", 0), ageOf("1970-01-01T00:00:00Z", 90_000)]).toEqual([
    "<unknown>",
    "<invalid>",
    "90s",
  ]);
});

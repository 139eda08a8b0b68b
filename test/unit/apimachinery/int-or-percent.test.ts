import { expect, it } from "vitest";
import { scaledIntOrPercent } from "../../../src/apimachinery/int-or-percent.ts";

it.each([
  [3, 10, "up", 3],
  ["30%", 10, "up", 3],
  ["25%", 10, "up", 3],
  ["25%", 10, "down", 2],
  ["150%", 3, "down", 4],
  ["0%", 3, "up", 0],
] as const)("%s of %i, rounded %s, is %i", (value, total, round, expected) => {
  expect(scaledIntOrPercent(value, total, round)).toBe(expected);
});

it.each(["3", "", "%", "2.5%", "many"])("refuses %j, as the API server may not", (value) => {
  expect(() => scaledIntOrPercent(value, 10, "up")).toThrow(
    expect.objectContaining({
      code: "TSOP_PERCENTAGE_INVALID",
      hint: expect.stringContaining("such as 25%") as string,
    }),
  );
});

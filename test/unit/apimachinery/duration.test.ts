import { expect, it } from "vitest";
import { durationToMs } from "../../../src/apimachinery/duration.ts";

it.each([
  ["1h30m", 5_400_000],
  ["1.5s", 1_500],
  ["-10ms", -10],
  ["250us", 0.25],
  ["0", 0],
])("reads %s as %d milliseconds", (duration, ms) => {
  expect(durationToMs(duration)).toBe(ms);
});

it.each(["", "10", "1d", "1h 30m"])("refuses %j with an example", (duration) => {
  const hint = "write numbers with units, such as 1h30m, 90s or 500ms";
  expect(() => durationToMs(duration)).toThrow(expect.objectContaining({ code: "TSOP_DURATION_INVALID", hint }));
});

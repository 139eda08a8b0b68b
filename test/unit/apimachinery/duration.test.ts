import { expect, it } from "vitest";
import { compareDurations, durationToMs, formatDuration } from "../../../src/apimachinery/duration.ts";

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

// As Go's time.Duration.String writes them.
it.each([
  [0, "0s"],
  [5_400_000, "1h30m0s"],
  [3_600_000, "1h0m0s"],
  [60_000, "1m0s"],
  [1_500, "1.5s"],
  [61_001, "1m1.001s"],
  [250, "250ms"],
  [1.5, "1.5ms"],
  [0.25, "250µs"],
  [0.0005, "500ns"],
  [-90_000, "-1m30s"],
])("formats %d milliseconds as %s", (ms, duration) => {
  expect(formatDuration(ms)).toBe(duration);
  expect(durationToMs(duration)).toBeCloseTo(ms, 9);
});

it("compares durations of different spellings", () => {
  expect(["90m", "1h", "3600s", "10ms"].sort(compareDurations)).toEqual(["10ms", "1h", "3600s", "90m"]);
});

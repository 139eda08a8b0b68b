import { expect, it } from "vitest";
import {
  addTime,
  compareTimes,
  formatMicroTime,
  formatTime,
  parseTime,
  timeSince,
} from "../../../src/apimachinery/time.ts";

const noon = Date.UTC(2026, 0, 1, 12);

it.each([
  ["2026-01-01T12:00:00Z", noon],
  ["2026-01-01T13:30:00+01:30", noon],
  ["2026-01-01T12:00:00.250000Z", noon + 250],
])("reads %s as %d milliseconds", (time, ms) => {
  expect(parseTime(time)).toBe(ms);
});

it.each(["", "2026", "2026-01-01", "2026-01-01T12:00:00", "2026-13-01T12:00:00Z", "noon"])(
  "refuses %j with an example",
  (time) => {
    const hint = "write it as RFC 3339, such as 2026-03-19T08:00:00Z";
    expect(() => parseTime(time)).toThrow(expect.objectContaining({ code: "TSOP_TIME_INVALID", hint }));
  },
);

it("formats a Date or milliseconds with whole seconds", () => {
  expect(formatTime(noon + 250)).toBe("2026-01-01T12:00:00Z");
  expect(formatTime(new Date(noon))).toBe("2026-01-01T12:00:00Z");
});

it("formats an Instant of Temporal", () => {
  expect(formatTime({ epochMilliseconds: noon + 250 })).toBe("2026-01-01T12:00:00Z");
  expect(formatMicroTime({ epochMilliseconds: noon + 250 })).toBe("2026-01-01T12:00:00.250000Z");
  expect(timeSince("2026-01-01T12:00:00Z", { epochMilliseconds: noon + 250 })).toBe(250);
});

it("adds to a MicroTime without losing its fraction", () => {
  expect(addTime("2026-01-01T12:00:00.250007Z", "1m")).toBe("2026-01-01T12:01:00.250007Z");
  expect(addTime("2026-01-01T12:00:00.250000Z", 750)).toBe("2026-01-01T12:00:01.000000Z");
});

it.each([
  ["2026-01-01T12:00:00Z", "2026-01-01T13:00:00+01:00", 0],
  ["2026-01-01T12:00:00Z", "2026-01-01T12:00:01Z", -1],
  ["2026-01-01T12:00:00.000002Z", "2026-01-01T12:00:00.000001Z", 1],
  ["2026-01-01T12:00:00.000000Z", "2026-01-01T12:00:00Z", 0],
])("compares %s with %s", (a, b, expected) => {
  expect(Math.sign(compareTimes(a, b))).toBe(expected);
});

it.each<[number | string, string]>([
  [90_000, "2026-01-01T12:01:30Z"],
  ["-1h30m", "2026-01-01T10:30:00Z"],
])("adds %s to a time", (later, expected) => {
  expect(addTime("2026-01-01T12:00:00Z", later)).toBe(expected);
});

it("counts the milliseconds since a time, by any clock", () => {
  expect(timeSince("2026-01-01T12:00:00Z", noon + 1_500)).toBe(1_500);
  expect(timeSince("2026-01-01T12:00:01Z", new Date(noon))).toBe(-1_000);
  expect(timeSince(formatTime(Date.now() - 60_000))).toBeGreaterThanOrEqual(60_000);
});

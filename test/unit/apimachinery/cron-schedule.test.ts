import { expect, it } from "vitest";
import { CronError, parseCron } from "../../../src/apimachinery/cron-schedule.ts";

const after = Date.parse("2026-05-01T10:20:30Z"); // a Friday

it.each<[string, string, string?]>([
  ["* * * * *", "2026-05-01T10:21:00.000Z"],
  ["*/15 * * * *", "2026-05-01T10:30:00.000Z"],
  ["5-10/5 * * * *", "2026-05-01T11:05:00.000Z"],
  ["20/20 * * * *", "2026-05-01T10:40:00.000Z"],
  ["0 12 * * *", "2026-05-01T12:00:00.000Z"],
  ["0 9 * * mon-wed", "2026-05-04T09:00:00.000Z"],
  ["0 0 * * 0", "2026-05-03T00:00:00.000Z"],
  ["0 0 13 * */7", "2026-05-03T00:00:00.000Z"],
  ["0 0 13 * ?", "2026-05-13T00:00:00.000Z"],
  ["0 0 1, * *", "2026-06-01T00:00:00.000Z"],
  ["@every 1h30m", "2026-05-01T11:50:30.000Z"],
  ["@every 1ms", "2026-05-01T10:20:31.000Z"],
  ["0 0 13 * 5", "2026-05-08T00:00:00.000Z"],
  ["0 0 13 * *", "2026-05-13T00:00:00.000Z"],
  ["0 0 29 feb *", "2028-02-29T00:00:00.000Z"],
  ["@hourly", "2026-05-01T11:00:00.000Z"],
  ["@yearly", "2027-01-01T00:00:00.000Z"],
  ["0 12 * * *", "2026-05-01T16:00:00.000Z", "America/New_York"],
  ["30 2 * * *", "2026-05-01T21:00:00.000Z", "Asia/Kolkata"],
])("finds the next time of %s at %s", (text, expected, zone) => {
  expect(new Date(parseCron(text, zone).next(after)!).toISOString()).toBe(expected);
});

it.each([
  "",
  "* * * *",
  "60 * * * *",
  "* 24 * * *",
  "* * 0 * *",
  "5-1 * * * *",
  "*/0 * * * *",
  "a * * * *",
  "@never",
  "1.5 * * * *",
  "* * * * 7",
  "@every 5",
])("rejects %j", (text) => {
  expect(() => parseCron(text)).toThrow(CronError);
});

it("finds no time for a day that does not exist", () => {
  expect(parseCron("0 0 31 2 *").next(after)).toBeUndefined();
});

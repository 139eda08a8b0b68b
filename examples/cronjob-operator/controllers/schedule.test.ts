/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

import { expect, it } from "vitest";
import { parseSchedule } from "./schedule.ts";

const time = (text: string) => Date.parse(`2026-03-${text}:00Z`);

it.each([
  ["0 * * * *", "19T12:30", "19T13:00", "19T12:00"],
  ["0 * * * *", "19T12:00", "19T13:00", "19T12:00"],
  ["*/20 9-17 * * mon-fri", "20T17:45", "23T09:00", "20T17:40"],
  ["30 4 1,15 * *", "14T00:00", "15T04:30", "01T04:30"],
])("%j at %s runs next at %s, and ran at %s", (text, now, next, latest) => {
  const schedule = parseSchedule(text);
  expect(schedule.next(time(now))).toBe(time(next));
  expect(schedule.latest(time(latest) - 1, time(now))).toBe(time(latest));
  expect(schedule.latest(time(latest), time(now))).toBeUndefined();
});

it.each(["* * * *", "* * * * * *", "60 * * * *", "a * * * *"])("refuses %j", (text) => {
  expect(() => parseSchedule(text)).toThrow(/CronPattern/);
});

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

import { Cron } from "croner";

/** The times of a schedule, in milliseconds since 1970. */
export interface Schedule {
  /** Returns the first time after `now`. */
  next(now: number): number | undefined;
  /** Returns the last time after `start` and until `now`. */
  latest(start: number, now: number): number | undefined;
}

/** Parses five fields of cron, in UTC. Throws an Error that says what is wrong with them. */
export function parseSchedule(text: string): Schedule {
  const cron = new Cron(text, { mode: "5-part", timezone: "UTC" });
  return {
    next: (now) => cron.nextRun(new Date(now))?.getTime(),
    latest(start, now) {
      const [run] = cron.previousRuns(1, new Date(now + 1)); // the time of the second argument is not included
      return run && run.getTime() > start ? run.getTime() : undefined;
    },
  };
}

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
import { replicasAt } from "./replicas-at.ts";

const spec = {
  defaultReplica: 3,
  schedulingConfig: [
    { startTime: 9, endTime: 17, replica: 5 },
    { startTime: 22, endTime: 6, replica: 1 },
    { startTime: 16, endTime: 18, replica: 9 },
  ],
};

it.each([
  [8, 3],
  [9, 5],
  [16, 5], // the first window applies
  [17, 9],
  [18, 3],
  [21, 3],
  [22, 1],
  [0, 1], // over midnight
  [5, 1],
  [6, 3],
])("at %i o'clock there are %i", (hour, replicas) => {
  expect(replicasAt(spec, hour)).toBe(replicas);
});

it("treats a window with equal start and end as the whole day", () => {
  expect(replicasAt({ defaultReplica: 3, schedulingConfig: [{ startTime: 4, endTime: 4, replica: 2 }] }, 12)).toBe(2);
});

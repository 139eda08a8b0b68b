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

import type { Scheduling, TDSetSpec } from "../api/v1/tdset_types.ts";

/** Returns the replicas for an hour of the day (0 to 23, UTC): those of the first window that contains it, or the default. */
export function replicasAt(spec: Pick<TDSetSpec, "schedulingConfig" | "defaultReplica">, hour: number): number {
  return spec.schedulingConfig.find((window) => isIn(window, hour))?.replica ?? spec.defaultReplica;
}

/** A window excludes its end. It spans midnight if it ends before it starts, and the whole day if both are equal. */
function isIn({ startTime, endTime }: Scheduling, hour: number): boolean {
  if (startTime < endTime) return hour >= startTime && hour < endTime;
  return hour >= startTime || hour < endTime;
}

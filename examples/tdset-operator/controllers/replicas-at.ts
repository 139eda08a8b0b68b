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

/** The number of replicas that an hour of the day (0 to 23, UTC) asks for: the first window that it is in, or the default. */
export function replicasAt(spec: Pick<TDSetSpec, "schedulingConfig" | "defaultReplica">, hour: number): number {
  return spec.schedulingConfig.find((window) => isIn(window, hour))?.replica ?? spec.defaultReplica;
}

/** A window goes from its start to before its end; over midnight when it ends before it starts; all day when both are equal. */
function isIn({ startTime, endTime }: Scheduling, hour: number): boolean {
  if (startTime < endTime) return hour >= startTime && hour < endTime;
  return hour >= startTime || hour < endTime;
}

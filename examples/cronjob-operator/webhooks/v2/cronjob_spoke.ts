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

import { spoke, type Spoke } from "tsop";
import type { CronJob as Hub } from "../../api/v1/zz_generated.kinds.ts";
import { CronJob } from "../../api/v2/zz_generated.kinds.ts";

/** Converts v2 to v1 and back. Name, namespace and type are set automatically. */
export const cronJobV2: Spoke<Hub> = spoke(CronJob, toHub, fromHub);

function toHub({ metadata, spec, status }: CronJob): Hub {
  const { minute = "*", hour = "*", dayOfMonth = "*", month = "*", dayOfWeek = "*" } = spec.schedule;
  const schedule = [minute, hour, dayOfMonth, month, dayOfWeek].join(" ");
  return { metadata, spec: { ...spec, schedule }, ...(status && { status }) };
}

function fromHub({ metadata, spec, status }: Hub): CronJob {
  const [minute = "*", hour = "*", dayOfMonth = "*", month = "*", dayOfWeek = "*"] = spec.schedule.split(" ");
  const schedule = { minute, hour, dayOfMonth, month, dayOfWeek };
  return { metadata, spec: { ...spec, schedule }, ...(status && { status }) };
}

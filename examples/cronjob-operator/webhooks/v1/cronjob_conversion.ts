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

import { hubSpoke, webhookManagedBy, type Converter, type Manager } from "tsop";
import { CronJob } from "../../api/v1/zz_generated.kinds.ts";
import { cronJobV2 } from "../v2/cronjob_spoke.ts";
// +kubebuilder:scaffold:imports

/** Converts cronjobs between their versions through the hub v1: each spoke converts to the hub and back. */
export const cronJobConverter: Converter = hubSpoke(CronJob, [
  cronJobV2,
  // +kubebuilder:scaffold:spokes
]);

export function setupCronJobConversion(mgr: Manager): void {
  webhookManagedBy(mgr, CronJob).withConverter(cronJobConverter).complete();
}

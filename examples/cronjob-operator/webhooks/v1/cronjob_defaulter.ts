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

import { webhookManagedBy, type Defaulter, type Manager } from "tsop";
import { CronJob } from "../../api/v1/zz_generated.kinds.ts";

/** Sets the defaults of cronjobs. */
// +kubebuilder:webhook:path=/mutate-batch-tutorial-kubebuilder-io-v1-cronjob,mutating=true,failurePolicy=fail,sideEffects=None,groups=batch.tutorial.kubebuilder.io,resources=cronjobs,verbs=create;update,versions=v1,name=mcronjob-v1.kb.io,admissionReviewVersions=v1
export class CronJobDefaulter implements Defaulter<CronJob> {
  /** Sets the defaults of both versions: an object of v2 is converted to v1 before, and back after that. */
  default({ spec }: Partial<CronJob>): void {
    if (!spec) return; // the server refuses it after this
    if (typeof spec.schedule === "string") spec.schedule = spec.schedule.trim().replaceAll(/\s+/g, " ");
    spec.concurrencyPolicy ??= "Allow";
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
  }

  setupWithManager(mgr: Manager): void {
    webhookManagedBy(mgr, CronJob).withDefaulter(this).complete();
  }
}

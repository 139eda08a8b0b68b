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

import {
  fieldError,
  invalidError,
  webhookManagedBy,
  type Manager,
  type StatusCause,
  type Validator,
  type Warnings,
} from "tsop";
import { CronJob } from "../../api/v1/zz_generated.kinds.ts";
import { parseSchedule } from "../../controllers/schedule.ts";

/** Rejects cronjobs with a schedule that cron does not know, or with a name that is too long for those of Jobs. */
// +kubebuilder:webhook:path=/validate-batch-tutorial-kubebuilder-io-v1-cronjob,mutating=false,failurePolicy=fail,sideEffects=None,groups=batch.tutorial.kubebuilder.io,resources=cronjobs,verbs=create;update,versions=v1,name=vcronjob-v1.kb.io,admissionReviewVersions=v1
export class CronJobValidator implements Validator<CronJob> {
  validateCreate(cronJob: CronJob): Warnings {
    validate(cronJob);
  }

  validateUpdate(_before: CronJob, cronJob: CronJob): Warnings {
    validate(cronJob);
  }

  setupWithManager(mgr: Manager): void {
    webhookManagedBy(mgr, CronJob).withValidator(this).complete();
  }
}

function validate({ metadata: { name = "" }, spec }: CronJob): void {
  const causes: StatusCause[] = [];
  // The name of a Job has eleven characters more, and a label of its pods has at most 63.
  if (name.length > 52) causes.push(fieldError.invalid("metadata.name", name, "must be no more than 52 characters"));
  try {
    parseSchedule(spec.schedule);
  } catch (error) {
    causes.push(fieldError.invalid("spec.schedule", spec.schedule, (error as Error).message));
  }
  if (causes.length > 0) throw invalidError(CronJob, name, causes);
}

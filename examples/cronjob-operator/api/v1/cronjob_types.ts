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

import type { Condition, Int32, Int64, Min, ObjectMeta, Time } from "tsop";
import type { JobTemplateSpec } from "tsop/k8s/batch/v1";
import type { ObjectReference } from "tsop/k8s/core/v1";

/**
 * ConcurrencyPolicy is Allow to run Jobs beside each other, Forbid to wait until the earlier one has ended, and
 * Replace to delete the earlier one.
 */
export type ConcurrencyPolicy = "Allow" | "Forbid" | "Replace";

/** CronJobSpec defines the desired state of CronJob. */
export interface CronJobSpec {
  /**
   * Schedule is the time of each run in UTC, as the five fields of cron: minute, hour, day of the month, month, and day
   * of the week.
   *
   * +kubebuilder:validation:Pattern=`^\S+( \S+){4}$`
   */
  schedule: string;

  /** StartingDeadlineSeconds is how late a run may start, in seconds. A run that has missed its deadline is skipped. */
  startingDeadlineSeconds?: Int64 & Min<0>;

  /** ConcurrencyPolicy says what happens if a run is due while an earlier one still runs. */
  concurrencyPolicy?: ConcurrencyPolicy;

  /** Suspend stops further runs. It does not apply to runs that have started. */
  suspend?: boolean;

  /** JobTemplate is the Job that is created for each run. */
  jobTemplate: JobTemplateSpec;

  /** SuccessfulJobsHistoryLimit is the number of successful Jobs to keep. */
  successfulJobsHistoryLimit?: Int32 & Min<0>;

  /** FailedJobsHistoryLimit is the number of failed Jobs to keep. */
  failedJobsHistoryLimit?: Int32 & Min<0>;
}

/** CronJobStatus defines the observed state of CronJob. */
export interface CronJobStatus {
  /**
   * Active lists the Jobs that run, the newest ten at most.
   *
   * +listType=atomic
   * +kubebuilder:validation:MinItems=1
   * +kubebuilder:validation:MaxItems=10
   */
  active?: ObjectReference[];

  /** LastScheduleTime is the time for which the latest Job was created. */
  lastScheduleTime?: Time;

  /**
   * Conditions say whether further runs are scheduled: "Scheduled".
   *
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * CronJob is the Schema for the cronjobs API: it creates a Job at each time of a schedule.
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:storageversion
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:name="Schedule",type=string,JSONPath=".spec.schedule"
 * +kubebuilder:printcolumn:name="Suspend",type=boolean,JSONPath=".spec.suspend"
 * +kubebuilder:printcolumn:name="Last Schedule",type=date,JSONPath=".status.lastScheduleTime"
 */
export interface CronJob {
  apiVersion?: "batch.tutorial.kubebuilder.io/v1";
  kind?: "CronJob";
  metadata: ObjectMeta;
  spec: CronJobSpec;
  status?: CronJobStatus;
}

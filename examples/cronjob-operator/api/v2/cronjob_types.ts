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

import type { ObjectMeta } from "tsop";
import type { CronJobSpec as HubSpec, CronJobStatus } from "../v1/cronjob_types.ts";

/**
 * CronField is one field of a schedule, such as "30", "1-5" or "*", which matches every value.
 *
 * +kubebuilder:validation:Pattern=`^\S+$`
 */
export type CronField = string;

/** CronSchedule is the time of each run in UTC. A field that is not set matches every value. */
export interface CronSchedule {
  /**
   * Minute is the minute, from 0 to 59.
   *
   * +kubebuilder:default="*"
   */
  minute?: CronField;

  /**
   * Hour is the hour, from 0 to 23.
   *
   * +kubebuilder:default="*"
   */
  hour?: CronField;

  /**
   * DayOfMonth is the day of the month, from 1 to 31.
   *
   * +kubebuilder:default="*"
   */
  dayOfMonth?: CronField;

  /**
   * Month is the month, from 1 to 12.
   *
   * +kubebuilder:default="*"
   */
  month?: CronField;

  /**
   * DayOfWeek is the day of the week, from 0 to 7, where both 0 and 7 are Sunday.
   *
   * +kubebuilder:default="*"
   */
  dayOfWeek?: CronField;
}

/** CronJobSpec defines the desired state of CronJob. */
export interface CronJobSpec extends Omit<HubSpec, "schedule"> {
  /** Schedule is the time of each run. */
  schedule: CronSchedule;
}

/**
 * CronJob is the Schema for the cronjobs API: it creates a Job at each time of a schedule.
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:name="Minute",type=string,JSONPath=".spec.schedule.minute"
 * +kubebuilder:printcolumn:name="Hour",type=string,JSONPath=".spec.schedule.hour"
 * +kubebuilder:printcolumn:name="Suspend",type=boolean,JSONPath=".spec.suspend"
 * +kubebuilder:printcolumn:name="Last Schedule",type=date,JSONPath=".status.lastScheduleTime"
 */
export interface CronJob {
  apiVersion?: "batch.tutorial.kubebuilder.io/v2";
  kind?: "CronJob";
  metadata: ObjectMeta;
  spec: CronJobSpec;
  status?: CronJobStatus;
}

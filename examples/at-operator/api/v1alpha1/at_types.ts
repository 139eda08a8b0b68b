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

import type { Condition, ObjectMeta } from "tsop";

/** AtSpec defines what to run, and when. */
export interface AtSpec {
  /**
   * Schedule is the time in UTC at which the command runs, such as 2026-03-19T08:00:00Z.
   *
   * +kubebuilder:validation:MinLength=1
   * +operator-sdk:csv:customresourcedefinitions:type=spec
   */
  schedule: string;

  /**
   * Command is the shell command to run at that time.
   *
   * +kubebuilder:validation:MinLength=1
   * +operator-sdk:csv:customresourcedefinitions:type=spec
   */
  command: string;
}

/** AtStatus defines the observed state of At. */
export interface AtStatus {
  /**
   * Phase is PENDING before the scheduled time, RUNNING while the pod runs, and DONE after that.
   *
   * +operator-sdk:csv:customresourcedefinitions:type=status
   */
  phase?: "PENDING" | "RUNNING" | "DONE";

  /**
   * Conditions report whether the schedule is valid (Scheduled) and whether the command succeeded (Succeeded).
   *
   * +listType=map
   * +listMapKey=type
   * +operator-sdk:csv:customresourcedefinitions:type=status
   */
  conditions?: Condition[];
}

/**
 * At is the Schema for the ats API: it runs a command once, at a given time.
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:name="Schedule",type=string,JSONPath=".spec.schedule"
 * +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=".status.phase"
 * +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
 * +operator-sdk:csv:customresourcedefinitions:resources={{Pod,v1}}
 */
export interface At {
  apiVersion?: "at.example.com/v1alpha1";
  kind?: "At";
  metadata: ObjectMeta;
  spec: AtSpec;
  status?: AtStatus;
}

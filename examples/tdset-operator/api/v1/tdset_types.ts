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

import type { Condition, Int32, ObjectMeta } from "tsop";

/** Container defines the container of each replica. */
export interface Container {
  /**
   * Image of the container.
   *
   * +kubebuilder:validation:MinLength=1
   */
  image: string;

  /**
   * Port that the container listens on.
   *
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=65535
   */
  port: Int32;
}

/** Service defines the Service of the replicas. */
export interface Service {
  /**
   * Port of the service.
   *
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=65535
   */
  port: Int32;
}

/** Scheduling is a window of the day (UTC) with its number of replicas. A window that ends before it starts spans midnight. */
export interface Scheduling {
  /**
   * StartTime is the first hour of the window.
   *
   * +kubebuilder:validation:Minimum=0
   * +kubebuilder:validation:Maximum=23
   */
  startTime: Int32;

  /**
   * EndTime is the hour at which the window ends.
   *
   * +kubebuilder:validation:Minimum=0
   * +kubebuilder:validation:Maximum=23
   */
  endTime: Int32;

  /**
   * Replica is the number of replicas during the window.
   *
   * +kubebuilder:validation:Minimum=0
   */
  replica: Int32;
}

/** TDSetSpec defines the desired state of TDSet. */
export interface TDSetSpec {
  container: Container;

  service?: Service;

  /** SchedulingConfig holds the windows; the first window that contains the hour applies. */
  schedulingConfig: Scheduling[];

  /**
   * DefaultReplica is the number of replicas outside all windows.
   *
   * +kubebuilder:validation:Minimum=1
   */
  defaultReplica: Int32;

  /**
   * IntervalMint is the interval between checks of the size, in minutes.
   *
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=1440
   * +kubebuilder:default=1
   */
  intervalMint?: Int32;
}

/** TDSetStatus defines the observed state of TDSet. */
export interface TDSetStatus {
  /** Replicas is the desired number of replicas at this hour of the day. */
  replicas?: Int32;

  /**
   * Conditions report whether the replicas are available.
   *
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * TDSet is the Schema for the tdsets API: a Deployment whose size follows the hour of the day.
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:name="Replicas",type=integer,JSONPath=".status.replicas"
 * +kubebuilder:printcolumn:name="Available",type=string,JSONPath=".status.conditions[?(@.type==\"Available\")].status"
 * +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
 */
export interface TDSet {
  apiVersion?: "schedule.rs/v1";
  kind?: "TDSet";
  metadata: ObjectMeta;
  spec: TDSetSpec;
  status?: TDSetStatus;
}

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

import type { Condition, Int32, Max, Min, ObjectMeta } from "tsop";

/** A port of a container or a service. */
export type Port = Int32 & Min<1> & Max<65535>;

/** An hour of the day, in UTC. */
export type Hour = Int32 & Min<0> & Max<23>;

/** Container defines the container of each replica. */
export interface Container {
  /**
   * Image of the container.
   *
   * +kubebuilder:validation:MinLength=1
   */
  image: string;

  /** Port that the container listens on. */
  port: Port;
}

/** ClusterService is reached inside the cluster. */
export interface ClusterService {
  /** Type of the service. */
  type?: "ClusterIP";

  /** Port of the service. */
  port: Port;
}

/** NodePortService is reached on each node, too. */
export interface NodePortService {
  type: "NodePort";
  port: Port;

  /** NodePort is the port on each node; by default, the cluster chooses one. */
  nodePort?: Int32 & Min<30000> & Max<32767>;
}

/** Service defines the Service of the replicas. */
export type Service = ClusterService | NodePortService;

/** Scheduling is a window of the day (UTC) with its number of replicas. A window that ends before it starts spans midnight. */
export interface Scheduling {
  /** StartTime is the first hour of the window. */
  startTime: Hour;

  /** EndTime is the hour at which the window ends. */
  endTime: Hour;

  /** Replica is the number of replicas during the window. */
  replica: Int32 & Min<0>;
}

/** TDSetSpec defines the desired state of TDSet. */
export interface TDSetSpec {
  container: Container;

  service?: Service;

  /** SchedulingConfig holds the windows; the first window that contains the hour applies. */
  schedulingConfig: Scheduling[];

  /** DefaultReplica is the number of replicas outside all windows. */
  defaultReplica: Int32 & Min<1>;

  /**
   * IntervalMint is the interval between checks of the size, in minutes.
   *
   * +kubebuilder:default=1
   */
  intervalMint?: Int32 & Min<1> & Max<1440>;
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

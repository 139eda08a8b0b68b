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

/** MemcachedSpec defines the desired state of Memcached. */
export interface MemcachedSpec {
  /**
   * Size is the number of Memcached instances.
   *
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=3
   * +kubebuilder:validation:ExclusiveMaximum=false
   * +kubebuilder:default=1
   * +operator-sdk:csv:customresourcedefinitions:type=spec
   */
  size?: Int32;

  /**
   * ContainerPort is the port that Memcached listens on.
   *
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=65535
   * +kubebuilder:default=11211
   * +operator-sdk:csv:customresourcedefinitions:type=spec
   */
  containerPort?: Int32;
}

/** MemcachedStatus defines the observed state of Memcached. */
export interface MemcachedStatus {
  /** Replicas is the desired number of instances; `kubectl scale` reads it. */
  replicas?: Int32;

  /** Selector selects the pods of this Memcached; autoscalers read it. */
  selector?: string;

  /**
   * Nodes are the names of the pods.
   *
   * +listType=set
   * +operator-sdk:csv:customresourcedefinitions:type=status
   */
  nodes?: string[];

  /**
   * Conditions hold the latest observations: Available, Progressing and Degraded.
   *
   * +listType=map
   * +listMapKey=type
   * +operator-sdk:csv:customresourcedefinitions:type=status
   */
  conditions?: Condition[];
}

/**
 * Memcached is the Schema for the memcacheds API.
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:subresource:scale:specpath=.spec.size,statuspath=.status.replicas,selectorpath=.status.selector
 * +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=".spec.size"
 * +kubebuilder:printcolumn:name="Available",type=string,JSONPath=".status.conditions[?(@.type==\"Available\")].status"
 * +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
 */
export interface Memcached {
  apiVersion?: "cache.example.com/v1alpha1";
  kind?: "Memcached";
  metadata: ObjectMeta;
  spec: MemcachedSpec;
  status?: MemcachedStatus;
}

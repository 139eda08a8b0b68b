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

// Edit this file. `make manifests generate` generates the CRD and zz_generated.kinds.ts from it.

/** BusyboxSpec defines the desired state of Busybox. */
export interface BusyboxSpec {
  /**
   * Size is the number of instances.
   *
   * +kubebuilder:default=1
   * +kubebuilder:validation:Minimum=0
   * +operator-sdk:csv:customresourcedefinitions:type=spec
   */
  size?: Int32;
}

/** BusyboxStatus defines the observed state of Busybox. */
export interface BusyboxStatus {
  /**
   * Conditions represent the current state of the Busybox: "Available" and "Degraded".
   *
   * +listType=map
   * +listMapKey=type
   * +operator-sdk:csv:customresourcedefinitions:type=status
   */
  conditions?: Condition[];
}

/**
 * Busybox is the Schema for the busyboxes API.
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface Busybox {
  apiVersion?: "cache.example.com/v1alpha1";
  kind?: "Busybox";
  metadata: ObjectMeta;
  spec: BusyboxSpec;
  status?: BusyboxStatus;
}

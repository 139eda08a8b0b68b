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

// Edit this file. `make manifests generate` generates the CRD and zz_generated.kinds.ts from it.

/** FrigateSpec defines the desired state of Frigate. */
export interface FrigateSpec {
  /** Foo is an example field of Frigate. Edit frigate_types.ts to remove or update it. */
  foo?: string;
}

/** FrigateStatus defines the observed state of Frigate. */
export interface FrigateStatus {
  /**
   * Conditions represent the current state of the Frigate: "Available", "Progressing", "Degraded".
   *
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Frigate is the Schema for the frigates API.
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface Frigate {
  apiVersion?: "ship.example.com/v1beta1";
  kind?: "Frigate";
  metadata: ObjectMeta;
  spec: FrigateSpec;
  status?: FrigateStatus;
}

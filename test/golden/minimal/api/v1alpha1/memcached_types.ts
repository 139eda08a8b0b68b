/*
Copyright 2026 The Minimal Authors.

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

/** MemcachedSpec defines the desired state of Memcached. */
export interface MemcachedSpec {
  /** Foo is an example field of Memcached. Edit memcached_types.ts to remove or update it. */
  foo?: string;
}

/** MemcachedStatus defines the observed state of Memcached. */
export interface MemcachedStatus {
  /**
   * Conditions represent the current state of the Memcached: "Available", "Progressing", "Degraded".
   *
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Memcached is the Schema for the memcacheds API.
 *
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface Memcached {
  apiVersion?: "cache.example.com/v1alpha1";
  kind?: "Memcached";
  metadata: ObjectMeta;
  spec: MemcachedSpec;
  status?: MemcachedStatus;
}

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

import { hubSpoke, webhookManagedBy, type Converter, type Manager } from "tsop";
import { Memcached } from "../../api/v1/zz_generated.kinds.ts";
import { memcachedV1alpha1 } from "../v1alpha1/memcached_spoke.ts";
import { memcachedV1beta1 } from "../v1beta1/memcached_spoke.ts";
// +kubebuilder:scaffold:imports

/** Converts memcacheds between their versions through the hub v1: each spoke converts to the hub and back. */
export const memcachedConverter: Converter = hubSpoke(Memcached, [
  memcachedV1alpha1,
  memcachedV1beta1,
  // +kubebuilder:scaffold:spokes
]);

export function setupMemcachedConversion(mgr: Manager): void {
  webhookManagedBy(mgr, Memcached).withConverter(memcachedConverter).complete();
}

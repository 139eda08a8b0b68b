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

import { webhookManagedBy, type Defaulter, type Manager } from "tsop";
import { Memcached } from "../../api/v1alpha1/zz_generated.kinds.ts";

/** Sets the defaults of memcacheds. */
// +kubebuilder:webhook:path=/mutate-cache-example-com-v1alpha1-memcached,mutating=true,failurePolicy=fail,sideEffects=None,groups=cache.example.com,resources=memcacheds,verbs=create;update,versions=v1alpha1,name=mmemcached-v1alpha1.kb.io,admissionReviewVersions=v1
export class MemcachedDefaulter implements Defaulter<Memcached> {
  /** Changes the object in place, before it is validated and stored. Throw an Error to reject the request. */
  default(memcached: Memcached): void {
    // Set your defaults here, for example a label that your controller needs:
    (memcached.metadata.labels ??= {})["app.kubernetes.io/managed-by"] ??= "hooks";
  }

  setupWithManager(mgr: Manager): void {
    webhookManagedBy(mgr, Memcached).withDefaulter(this).complete();
  }
}

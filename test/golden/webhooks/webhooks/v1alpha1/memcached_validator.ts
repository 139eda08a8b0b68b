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

import { webhookManagedBy, type Manager, type Validator, type Warnings } from "tsop";
import { Memcached } from "../../api/v1alpha1/zz_generated.kinds.ts";

/** Rejects invalid memcacheds. To validate deletions, too, add `delete` to the verbs below. */
// +kubebuilder:webhook:path=/validate-cache-example-com-v1alpha1-memcached,mutating=false,failurePolicy=fail,sideEffects=None,groups=cache.example.com,resources=memcacheds,verbs=create;update,versions=v1alpha1,name=vmemcached-v1alpha1.kb.io,admissionReviewVersions=v1
export class MemcachedValidator implements Validator<Memcached> {
  /** Throw an Error to reject the object with a reason; return strings to show warnings. */
  validateCreate(memcached: Memcached): Warnings {
    return this.validate(memcached);
  }

  validateUpdate(_before: Memcached, memcached: Memcached): Warnings {
    return this.validate(memcached);
  }

  validateDelete(): Warnings {}

  setupWithManager(mgr: Manager): void {
    webhookManagedBy(mgr, Memcached).withValidator(this).complete();
  }

  private validate(memcached: Memcached): Warnings {
    // Add your rules here. If a schema can express a rule, use a marker in the types instead. An example:
    const { annotations = {}, name } = memcached.metadata;
    const isCopyOfItself = annotations["cache.example.com/copy-of"] === name;
    if (isCopyOfItself) throw new Error(`Memcached ${name} cannot be a copy of itself`);
  }
}

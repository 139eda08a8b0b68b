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
import { Pod } from "tsop/k8s/core/v1";

/** Rejects invalid pods. To validate deletions, too, add `delete` to the verbs below. */
// +kubebuilder:webhook:path=/validate--v1-pod,mutating=false,failurePolicy=fail,sideEffects=None,groups=core,resources=pods,verbs=create;update,versions=v1,name=vcore-pod-v1.kb.io,admissionReviewVersions=v1
export class PodValidator implements Validator<Pod> {
  /** Throw an Error to reject the object with a reason; return strings to show warnings. */
  validateCreate(pod: Pod): Warnings {
    return this.validate(pod);
  }

  validateUpdate(_before: Pod, pod: Pod): Warnings {
    return this.validate(pod);
  }

  validateDelete(): Warnings {}

  setupWithManager(mgr: Manager): void {
    webhookManagedBy(mgr, Pod).withValidator(this).complete();
  }

  private validate(pod: Pod): Warnings {
    // Add your rules here. If a schema can express a rule, use a marker in the types instead. An example:
    const { annotations = {}, name } = pod.metadata;
    const isCopyOfItself = annotations["example.com/copy-of"] === name;
    if (isCopyOfItself) throw new Error(`Pod ${name} cannot be a copy of itself`);
  }
}

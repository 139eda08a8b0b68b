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
import { Ingress } from "tsop/k8s/networking/v1";

/** Rejects invalid ingresses. To validate deletions, too, add `delete` to the verbs below. */
// +kubebuilder:webhook:path=/validate-networking-k8s-io-v1-ingress,mutating=false,failurePolicy=fail,sideEffects=None,groups=networking.k8s.io,resources=ingresses,verbs=create;update,versions=v1,name=vnetworking-ingress-v1.kb.io,admissionReviewVersions=v1
export class IngressValidator implements Validator<Ingress> {
  /** Throw an Error to reject the object with a reason; return strings to show warnings. */
  validateCreate(ingress: Ingress): Warnings {
    return this.validate(ingress);
  }

  validateUpdate(_before: Ingress, ingress: Ingress): Warnings {
    return this.validate(ingress);
  }

  validateDelete(): Warnings {}

  setupWithManager(mgr: Manager): void {
    webhookManagedBy(mgr, Ingress).withValidator(this).complete();
  }

  private validate(ingress: Ingress): Warnings {
    // Add your rules here. If a schema can express a rule, use a marker in the types instead. An example:
    const { annotations = {}, name } = ingress.metadata;
    const isCopyOfItself = annotations["networking.k8s.io/copy-of"] === name;
    if (isCopyOfItself) throw new Error(`Ingress ${name} cannot be a copy of itself`);
  }
}

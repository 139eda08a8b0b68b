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

/** Refuses ingresses that must not be. Add `delete` to the verbs below to be asked about deletions, too. */
// +kubebuilder:webhook:path=/validate-networking-k8s-io-v1-ingress,mutating=false,failurePolicy=fail,sideEffects=None,groups=networking.k8s.io,resources=ingresses,verbs=create;update,versions=v1,name=vnetworking-ingress-v1.kb.io,admissionReviewVersions=v1
export class IngressValidator implements Validator<Ingress> {
  /** Throw an Error with the reason to refuse; texts that are returned are shown as warnings. */
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
    // Your rules. What a schema can say belongs into the types, as a marker; here, for example, is one it can't:
    const { annotations = {}, name } = ingress.metadata;
    const isCopyOfItself = annotations["networking.k8s.io/copy-of"] === name;
    if (isCopyOfItself) throw new Error(`Ingress ${name} can't be a copy of itself`);
  }
}

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
import { Ingress } from "tsop/k8s/networking/v1";

/** Sets the defaults of ingresses. */
// +kubebuilder:webhook:path=/mutate-networking-k8s-io-v1-ingress,mutating=true,failurePolicy=fail,sideEffects=None,groups=networking.k8s.io,resources=ingresses,verbs=create;update,versions=v1,name=mnetworking-ingress-v1.kb.io,admissionReviewVersions=v1
export class IngressDefaulter implements Defaulter<Ingress> {
  /** Changes the object in place, before it is validated and stored. Throw an Error to reject the request. */
  default(ingress: Ingress): void {
    // Set your defaults here, for example a label that your controller needs:
    (ingress.metadata.labels ??= {})["app.kubernetes.io/managed-by"] ??= "foreign";
  }

  setupWithManager(mgr: Manager): void {
    webhookManagedBy(mgr, Ingress).withDefaulter(this).complete();
  }
}

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
import { Certificate } from "../../../given/certificate.ts";

/** Rejects invalid certificates. To validate deletions, too, add `delete` to the verbs below. */
// +kubebuilder:webhook:path=/validate-cert-manager-io-v1-certificate,mutating=false,failurePolicy=fail,sideEffects=None,groups=cert-manager.io,resources=certificates,verbs=create;update,versions=v1,name=vcert-manager-certificate-v1.kb.io,admissionReviewVersions=v1
export class CertificateValidator implements Validator<Certificate> {
  /** Throw an Error to reject the object with a reason; return strings to show warnings. */
  validateCreate(certificate: Certificate): Warnings {
    return this.validate(certificate);
  }

  validateUpdate(_before: Certificate, certificate: Certificate): Warnings {
    return this.validate(certificate);
  }

  validateDelete(): Warnings {}

  setupWithManager(mgr: Manager): void {
    webhookManagedBy(mgr, Certificate).withValidator(this).complete();
  }

  private validate(certificate: Certificate): Warnings {
    // Add your rules here. If a schema can express a rule, use a marker in the types instead. An example:
    const { annotations = {}, name } = certificate.metadata;
    const isCopyOfItself = annotations["cert-manager.io/copy-of"] === name;
    if (isCopyOfItself) throw new Error(`Certificate ${name} cannot be a copy of itself`);
  }
}

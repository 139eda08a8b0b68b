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
import { Certificate } from "../../../given/certificate.ts";

/** Sets the defaults of certificates. */
// +kubebuilder:webhook:path=/mutate-cert-manager-io-v1-certificate,mutating=true,failurePolicy=fail,sideEffects=None,groups=cert-manager.io,resources=certificates,verbs=create;update,versions=v1,name=mcert-manager-certificate-v1.kb.io,admissionReviewVersions=v1
export class CertificateDefaulter implements Defaulter<Certificate> {
  /** Changes the object in place, before it is validated and stored. Throw an Error to reject the request. */
  default(certificate: Certificate): void {
    // Set your defaults here, for example a label that your controller needs:
    (certificate.metadata.labels ??= {})["app.kubernetes.io/managed-by"] ??= "foreign";
  }

  setupWithManager(mgr: Manager): void {
    webhookManagedBy(mgr, Certificate).withDefaulter(this).complete();
  }
}

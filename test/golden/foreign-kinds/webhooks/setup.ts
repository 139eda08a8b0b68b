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

import type { Manager } from "tsop";
import { CertificateDefaulter } from "./cert-manager/v1/certificate_defaulter.ts";
import { CertificateValidator } from "./cert-manager/v1/certificate_validator.ts";
import { DeploymentDefaulter } from "./apps/v1/deployment_defaulter.ts";
import { IngressDefaulter } from "./networking/v1/ingress_defaulter.ts";
import { IngressValidator } from "./networking/v1/ingress_validator.ts";
// +kubebuilder:scaffold:imports

/** Registers all webhooks of the project. main.ts calls this function unless ENABLE_WEBHOOKS is "false". */
export function setupWebhooks(mgr: Manager): void {
  // The pod is ready once it has the certificate and listens on the port.
  mgr.addReadyzCheck("webhook", mgr.webhookServer.startedChecker());
  new CertificateDefaulter().setupWithManager(mgr);
  new CertificateValidator().setupWithManager(mgr);
  new DeploymentDefaulter().setupWithManager(mgr);
  new IngressDefaulter().setupWithManager(mgr);
  new IngressValidator().setupWithManager(mgr);
  // +kubebuilder:scaffold:webhooks
}

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
import { CronJobDefaulter } from "./v1/cronjob_defaulter.ts";
import { CronJobValidator } from "./v1/cronjob_validator.ts";
import { setupCronJobConversion } from "./v1/cronjob_conversion.ts";
// +kubebuilder:scaffold:imports

/** Registers all webhooks of the project. main.ts calls this function unless ENABLE_WEBHOOKS is "false". */
export function setupWebhooks(mgr: Manager): void {
  // The pod is ready once it has the certificate and listens on the port.
  mgr.addReadyzCheck("webhook", mgr.webhookServer.startedChecker());
  new CronJobDefaulter().setupWithManager(mgr);
  new CronJobValidator().setupWithManager(mgr);
  setupCronJobConversion(mgr);
  // +kubebuilder:scaffold:webhooks
}

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
import { MemcachedDefaulter } from "./v1alpha1/memcached_defaulter.ts";
import { MemcachedValidator } from "./v1alpha1/memcached_validator.ts";
import { setupMemcachedConversion } from "./v1/memcached_conversion.ts";
import { MemcachedValidator as CacheV1MemcachedValidator } from "./v1/memcached_validator.ts";
import { PodValidator } from "./core/v1/pod_validator.ts";
// +kubebuilder:scaffold:imports

/** Registers all webhooks of the project. main.ts calls this function unless ENABLE_WEBHOOKS is "false". */
export function setupWebhooks(mgr: Manager): void {
  // The pod is ready once it has the certificate and listens on the port.
  mgr.addReadyzCheck("webhook", mgr.webhookServer.startedChecker());
  new MemcachedDefaulter().setupWithManager(mgr);
  new MemcachedValidator().setupWithManager(mgr);
  setupMemcachedConversion(mgr);
  new CacheV1MemcachedValidator().setupWithManager(mgr);
  new PodValidator().setupWithManager(mgr);
  // +kubebuilder:scaffold:webhooks
}

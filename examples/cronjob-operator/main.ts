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

import { createManager, exitWithError, loadConfig, parseManagerFlags, ping, setupSignalHandler } from "tsop";
import { CronJobReconciler } from "./controllers/cronjob_controller.ts";
import { setupWebhooks } from "./webhooks/setup.ts";
// +kubebuilder:scaffold:imports

// Reports errors such as a wrong flag or a missing cluster in two lines: the error, and how to fix it.
process.on("uncaughtException", exitWithError);

// --kubeconfig, --metrics-bind-address, --zap-log-level …: `make run ARGS=--help` lists them.
const flags = parseManagerFlags(process.argv.slice(2));
const { managerOptions } = flags;
const mgr = await createManager(await loadConfig(flags), {
  ...managerOptions,
  // WATCH_NAMESPACE limits the operator to the listed namespaces, separated by commas; by default, it watches all.
  cache: { namespaces: (process.env.WATCH_NAMESPACE ?? "").split(",").filter(Boolean) },
  leaderElection: { ...managerOptions.leaderElection, id: "33948157.tutorial.kubebuilder.io" },
});

await new CronJobReconciler(mgr.client).setupWithManager(mgr);
if (process.env.ENABLE_WEBHOOKS !== "false") setupWebhooks(mgr);
// +kubebuilder:scaffold:builder

mgr.addHealthzCheck("healthz", ping);
mgr.addReadyzCheck("readyz", ping);

await mgr.start(setupSignalHandler());

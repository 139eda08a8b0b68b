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

import {
  createFleet,
  createManager,
  exitWithError,
  kubeconfigSecrets,
  loadConfig,
  parseManagerFlags,
  ping,
  setupSignalHandler,
} from "tsop";
import { ConfigMap } from "tsop/k8s/core/v1";
import { ConfigMapReconciler } from "./controllers/configmap_controller.ts";
// +kubebuilder:scaffold:imports

// Reports errors such as a wrong flag or a missing cluster in two lines: the error, and how to fix it.
process.on("uncaughtException", exitWithError);

// --kubeconfig, --metrics-bind-address, --zap-log-level …: `make run ARGS=--help` lists them.
const flags = parseManagerFlags(process.argv.slice(2));
const { managerOptions } = flags;
const mgr = await createManager(await loadConfig(flags), {
  ...managerOptions,
  // WATCH_NAMESPACE limits the operator to the listed namespaces, separated by commas; by default, it watches all.
  cache: {
    namespaces: (process.env.WATCH_NAMESPACE ?? "").split(",").filter(Boolean),
    // All ConfigMaps are cached on purpose: a label may be removed from any of them.
    byKind: [[ConfigMap, {}]],
  },
  leaderElection: { ...managerOptions.leaderElection, id: "42adeed6.example.com" },
});

// The clusters are the labeled Secrets in the operator's own namespace.
const fleet = createFleet(mgr, kubeconfigSecrets(mgr, { namespace: mgr.config.namespace }));
await new ConfigMapReconciler(fleet).setupWithFleet(fleet);
// +kubebuilder:scaffold:builder

mgr.addHealthzCheck("healthz", ping);
mgr.addReadyzCheck("readyz", ping);

await mgr.start(setupSignalHandler());

import { createManager, exitWithError, loadConfig, parseManagerFlags, ping, setupSignalHandler } from "tsop";
import { HTTPRouteReconciler } from "./controllers/httproute_controller.ts";
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
  leaderElection: { ...managerOptions.leaderElection, id: "61da8eed.example.com" },
});

await new HTTPRouteReconciler(mgr.client).setupWithManager(mgr);
// +kubebuilder:scaffold:builder

mgr.addHealthzCheck("healthz", ping);
mgr.addReadyzCheck("readyz", ping);

await mgr.start(setupSignalHandler());

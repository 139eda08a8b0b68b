import type { Store } from "../../apiserver/storage/store.ts";
import type { Transport } from "../../client/transport.ts";
import { runAutoscalers } from "./workloads/autoscaler-controller.ts";
import { runCronJobs } from "./jobs/cron-job-controller.ts";
import { runDaemonSets } from "./workloads/daemon-set-controller.ts";
import { runDeployments } from "./workloads/deployment-controller.ts";
import { runDisruptions } from "./workloads/disruption-controller.ts";
import { runGarbageCollector } from "./housekeeping/garbage-collector.ts";
import { runJobs } from "./jobs/job-controller.ts";
import { runKubelet } from "./pods/kubelet.ts";
import { runNodes, registerNode } from "./pods/register-node.ts";
import { runNamespaces } from "./housekeeping/namespace-controller.ts";
import { runMigrations } from "./storage/migration-controller.ts";
import { runProtection } from "./storage/protection-controller.ts";
import { runQuotas } from "./quotas/quota-controller.ts";
import { runReplicaSets } from "./workloads/replica-set-controller.ts";
import { runServiceAccounts, runTokens } from "./housekeeping/service-account-controller.ts";
import { ServedKinds } from "./housekeeping/served-kinds.ts";
import { publishApiServer, runServices } from "./services/service-controller.ts";
import {
  createSimulationContext,
  type SimulationContext,
  type SimulationOptions,
} from "./context/simulation-context.ts";
import { runStatefulSets } from "./workloads/stateful-set-controller.ts";
import { runVolumes } from "./storage/volume-controller.ts";

/** Controllers in addition to those of the control plane, which run until the context's signal aborts. */
export type FurtherController = (context: SimulationContext, kinds: ServedKinds) => Promise<void>;

/** Runs the control plane's controllers, the node and further controllers until the signal aborts. */
export async function startSimulation(
  options: SimulationOptions,
  { transport, store }: { readonly transport: Transport; readonly store: Store },
  further: readonly FurtherController[] = [],
): Promise<void> {
  const context = createSimulationContext(options);
  const kinds = new ServedKinds(transport);
  await Promise.all([registerNode(context), kinds.read(context.signal)]);
  await Promise.all([
    kinds.start(context),
    runGarbageCollector(context, kinds, store),
    runQuotas(context, kinds, store),
    runNamespaces(context, kinds),
    runServiceAccounts(context),
    runTokens(context),
    runDeployments(context),
    runReplicaSets(context),
    runStatefulSets(context),
    runDaemonSets(context),
    runJobs(context),
    runCronJobs(context),
    publishApiServer(context),
    runServices(context),
    runDisruptions(context),
    runAutoscalers(context, kinds),
    runVolumes(context),
    runProtection(context),
    runMigrations(context, kinds),
    runKubelet(context),
    runNodes(context),
    ...further.map((run) => run(context, kinds)),
  ]);
}

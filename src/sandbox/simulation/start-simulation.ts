import type { Transport } from "../../client/transport.ts";
import { runCronJobs } from "./cron-job-controller.ts";
import { runDaemonSets } from "./daemon-set-controller.ts";
import { runDeployments } from "./deployment-controller.ts";
import { runDisruptions } from "./disruption-controller.ts";
import { runGarbageCollector } from "./garbage-collector.ts";
import { runJobs } from "./job-controller.ts";
import { runKubelet } from "./kubelet.ts";
import { runNamespaces } from "./namespace-controller.ts";
import { registerNode } from "./node.ts";
import { runProtection } from "./protection-controller.ts";
import { runReplicaSets } from "./replica-set-controller.ts";
import { runRoleAggregation } from "./role-aggregation-controller.ts";
import { ServedKinds } from "./served-kinds.ts";
import { runServiceAccounts } from "./service-account-controller.ts";
import { runServices } from "./service-controller.ts";
import type { SimulationContext } from "./simulation-context.ts";
import { runStatefulSets } from "./stateful-set-controller.ts";
import { runTokens } from "./token-controller.ts";
import { runVolumes } from "./volume-controller.ts";

/** Runs the control plane's controllers and the node until the context's signal aborts. */
export async function startSimulation(context: SimulationContext, transport: Transport): Promise<void> {
  const kinds = new ServedKinds(transport);
  await Promise.all([registerNode(context), kinds.read(context.signal)]);
  await Promise.all([
    kinds.start(context),
    runGarbageCollector(context, kinds),
    runNamespaces(context, kinds),
    runServiceAccounts(context),
    runTokens(context),
    runDeployments(context),
    runReplicaSets(context),
    runStatefulSets(context),
    runDaemonSets(context),
    runJobs(context),
    runCronJobs(context),
    runServices(context),
    runDisruptions(context),
    runRoleAggregation(context),
    runVolumes(context),
    runProtection(context),
    runKubelet(context),
  ]);
}

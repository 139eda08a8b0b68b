import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { runCatalogSources } from "./catalog-source-controller.ts";
import { runCopiedCsvs } from "./copied-csvs.ts";
import { runCsvs } from "./csv-controller.ts";
import { runInstallPlans } from "./install-plan-controller.ts";
import { runOperatorGroups } from "./operator-group-controller.ts";
import { runSubscriptions } from "./subscription-controller.ts";

const controllers = [
  runCatalogSources,
  runOperatorGroups,
  runSubscriptions,
  runInstallPlans,
  runCsvs,
  runCopiedCsvs,
] as const;

/** Simulates the Operator Lifecycle Manager until the signal aborts. */
export async function startOlm(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:olm:olm-operator-serviceaccount");
  await Promise.all(controllers.map((run) => run(context, client)));
}

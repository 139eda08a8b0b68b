import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { runComponentAdoption, runSubscriptionAdoption } from "./adoption-controller.ts";
import { runCatalogSources } from "./catalog-source-controller.ts";
import { runCopiedCsvs } from "./copied-csvs.ts";
import { runCsvs } from "./csv-controller.ts";
import { runInstallPlans } from "./install-plan-controller.ts";
import { runOlmConfig } from "./olm-config-controller.ts";
import { runOperators } from "./operator-controller.ts";
import { runOperatorGroups } from "./operator-group-controller.ts";
import { runSubscriptions } from "./subscription-controller.ts";

/** Simulates the Operator Lifecycle Manager until the signal aborts. */
export async function startOlm(context: SimulationContext): Promise<void> {
  await Promise.all([
    runCatalogSources(context),
    runOperatorGroups(context),
    runSubscriptions(context),
    runInstallPlans(context),
    runCsvs(context),
    runCopiedCsvs(context),
    runOlmConfig(context),
    runSubscriptionAdoption(context),
    runComponentAdoption(context),
    runOperators(context),
  ]);
}

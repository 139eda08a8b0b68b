import { cloneJson } from "../../apimachinery/clone.ts";
import type { Client } from "../../client/client.ts";
import { copiedLabel, CsvKind, OlmConfigKind, olmConfigName, OperatorGroupKind } from "../../manifests/olm-kinds.ts";
import { enqueueFromMap } from "../../runtime/controller/handlers.ts";
import { setCondition, type NewCondition } from "../../apimachinery/conditions.ts";
import { NamespaceKind } from "../simulation/context/simulated-kinds.ts";
import { runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { ownCsvs } from "./copied-csvs.ts";
import { copiesGlobalCsvs, disabledCopies, getOlmConfig } from "./csv-copying.ts";
import { olmUser } from "./olm-user.ts";

/** Reports in the OLMConfig whether the CSVs for all namespaces are copied as it says. */
export function runOlmConfig(context: SimulationContext): Promise<void> {
  const client = context.clientFor(olmUser);
  const config = enqueueFromMap(async () => [{ name: olmConfigName }]);
  return runController(context, {
    sources: [OlmConfigKind, CsvKind, OperatorGroupKind, NamespaceKind].map((kind) => watch(context, kind, config)),
    step: async () => {
      const olmConfig = await getOlmConfig(client);
      if (!olmConfig) return;
      const conditions = cloneJson(olmConfig.status?.conditions ?? []);
      const isCopying = copiesGlobalCsvs(olmConfig);
      const wanted = conditionOf(isCopying, await areCopiesAsWanted(client, isCopying));
      if (!setCondition(conditions, wanted, () => new Date(context.clock.now()))) return;
      await client.status.update(OlmConfigKind, { ...olmConfig, status: { ...olmConfig.status, conditions } });
    },
  });
}

/** Reports whether each CSV for all namespaces has a copy in each other namespace; if copying is disabled, whether it has none. */
async function areCopiesAsWanted(client: Client, isCopying: boolean): Promise<boolean> {
  const { items: namespaces } = await client.list(NamespaceKind);
  const active = namespaces.filter(({ status }) => status?.phase === "Active");
  const { items: groups } = await client.list(OperatorGroupKind);
  for (const { metadata, status } of groups) {
    if (!status?.namespaces?.includes("")) continue;
    const { namespace = "" } = metadata;
    const { items: copies } = await client.list(CsvKind, { labels: { [copiedLabel]: namespace } });
    for (const csv of await ownCsvs(client, namespace)) {
      const count = copies.filter((copy) => copy.metadata.name === csv.metadata.name).length;
      if (count !== (isCopying ? active.length - 1 : 0)) return false;
    }
  }
  return true;
}

function conditionOf(isCopying: boolean, isAsWanted: boolean): NewCondition {
  const copies = isCopying
    ? isAsWanted
      ? "enabled and present across the cluster"
      : "enabled and at least one copied CSVs is missing"
    : isAsWanted
      ? "disabled and no unexpected copied CSVs were found for operators installed in AllNamespace mode"
      : "disabled and at least one unexpected copied CSV was found for an operator installed in AllNamespace mode";
  return {
    type: disabledCopies,
    status: !isCopying && isAsWanted ? "True" : "False",
    reason: isCopying ? "CopiedCSVsEnabled" : "CopiedCSVsDisabled",
    message: `Copied CSVs are ${copies}`,
  };
}

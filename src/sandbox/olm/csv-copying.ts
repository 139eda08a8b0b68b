import { objectKey, type Named } from "../../apimachinery/meta.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import type { Client } from "../../client/client.ts";
import { OlmConfigKind, olmConfigName, type CsvObject, type OlmConfig } from "../../manifests/olm-kinds.ts";
import { EventKind } from "../simulation/context/simulated-kinds.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";

/** The type of the OLMConfig's condition, and the reason of the event of each CSV that is not copied. */
export const disabledCopies = "DisabledCopiedCSVs";

/** Reports whether CSVs for all namespaces are copied into them. */
export function copiesGlobalCsvs(config: OlmConfig | undefined): boolean {
  return !config?.spec?.features?.disableCopiedCSVs;
}

/** Returns the configuration of OLM, if it exists. */
export function getOlmConfig(client: Client): Promise<Named<OlmConfig> | undefined> {
  return client.getOrUndefined(OlmConfigKind, { name: olmConfigName });
}

/** Keeps an event on a CSV for all namespaces while it is not copied. */
export async function reportCopying(
  context: SimulationContext,
  client: Client,
  { csv, isCopied }: { csv: Named<CsvObject>; isCopied: boolean },
): Promise<void> {
  const { namespace, name, uid } = csv.metadata;
  const fields = `involvedObject.uid=${uid},reason=${disabledCopies}`;
  const { items: events } = await client.list(EventKind, { namespace, fields });
  if (isCopied) {
    for (const event of events) await client.delete(EventKind, objectKey(event)).catch(ignoreNotFound);
  } else if (events.length === 0) {
    const recorder = context.recorder(client, "operator-lifecycle-manager");
    recorder.event(csv, "Warning", disabledCopies, `CSV copying disabled for ${namespace}/${name}`);
  }
}

import { equalJson } from "../../apimachinery/equal.ts";
import { labelSelectorMatcher } from "../../apimachinery/selectors.ts";
import { timestamp } from "../../apimachinery/time.ts";
import { mergePatch } from "../../client/patches.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import type { Client } from "../../client/client.ts";
import { OperatorGroupKind, type OperatorGroup, type CsvObject } from "../../client/manifests/olm-kinds.ts";
import { enqueueAll, runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { NamespaceKind } from "../simulation/context/simulated-kinds.ts";

/** The label of the namespaces of a group, by which its webhooks select them. */
export function groupLabel({ metadata }: OperatorGroup): string {
  return `olm.operatorgroup.uid/${metadata.uid}`;
}

/** Reports the namespaces of each OperatorGroup, and labels them. */
export function runOperatorGroups(context: SimulationContext, client: Client): Promise<void> {
  const all = enqueueAll(context, OperatorGroupKind);
  return runController(context, {
    sources: [watch(context, OperatorGroupKind), watch(context, NamespaceKind, all)],
    step: async (key) => {
      const group = await client.getOrUndefined(OperatorGroupKind, key);
      if (!group || group.metadata.deletionTimestamp) return;
      const now = timestamp(context.clock.now());
      const namespaces = await targetsOf(client, group);
      if (!equalJson(group.status?.namespaces, namespaces)) {
        const next = { ...group.status, lastUpdated: now, namespaces };
        await client.status.update(OperatorGroupKind, { ...group, status: next });
        return;
      }
      await labelNamespaces(client, group, namespaces);
    },
  });
}

/** Returns the target namespaces; `[""]` means all. */
async function targetsOf(client: Client, { spec = {} }: OperatorGroup): Promise<string[]> {
  if (spec.targetNamespaces?.length) return spec.targetNamespaces.toSorted();
  if (!spec.selector) return [""];
  const matches = labelSelectorMatcher(spec.selector);
  const { items } = await client.list(NamespaceKind);
  return items
    .filter(({ metadata }) => matches.matches(metadata.labels ?? {}))
    .map(({ metadata }) => metadata.name)
    .toSorted();
}

async function labelNamespaces(client: Client, group: OperatorGroup, namespaces: readonly string[]): Promise<void> {
  const label = groupLabel(group);
  for (const name of namespaces.filter(Boolean)) {
    const namespace = await client.getOrUndefined(NamespaceKind, { name });
    if (!namespace || namespace.metadata.labels?.[label] !== undefined) continue;
    const patch = mergePatch({ metadata: { labels: { [label]: "" } } });
    await client.patch(NamespaceKind, { name }, patch).catch(ignoreNotFound);
  }
}

/** Returns the reason why a CSV does not support the namespaces of its group. */
export function unsupportedMode(
  { spec }: CsvObject,
  namespace: string,
  targets: readonly string[],
): string | undefined {
  const isOwn = targets.includes(namespace);
  const wanted = [
    targets.includes("") && "AllNamespaces",
    targets.length > 1 && "MultiNamespace",
    isOwn && "OwnNamespace",
    targets.length === 1 && !targets.includes("") && !isOwn && "SingleNamespace",
  ];
  const isSupported = (mode: string): boolean =>
    spec.installModes?.some(({ type, supported }) => type === mode && supported) ?? false;
  const missing = wanted.find((mode) => mode !== false && !isSupported(mode));
  return missing ? `${missing} InstallModeType not supported` : undefined;
}

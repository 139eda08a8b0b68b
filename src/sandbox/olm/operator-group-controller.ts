import { equalJson } from "../../apimachinery/equal.ts";
import { objectKey } from "../../apimachinery/meta.ts";
import { labelSelectorMatcher } from "../../apimachinery/selectors.ts";
import { timestamp } from "../../apimachinery/time.ts";
import { mergePatch } from "../../client/patches.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import type { Client } from "../../client/client.ts";
import { CsvKind, OperatorGroupKind, type CsvObject, type OperatorGroup } from "../../manifests/olm-kinds.ts";
import { ownCsvs } from "./copied-csvs.ts";
import { isOutsideGroup } from "./csv-phase.ts";
import { statusOfAccount } from "./installing-account.ts";
import { olmUser } from "./olm-user.ts";
import { keepGroupRoles, removeGroupRoles } from "./people-roles.ts";
import { enqueueAll, enqueueBeside, runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { NamespaceKind, ServiceAccountKind } from "../simulation/context/simulated-kinds.ts";

/** The label of the namespaces of a group, by which its webhooks select them. */
export function groupLabel({ metadata }: OperatorGroup): string {
  return `olm.operatorgroup.uid/${metadata.uid}`;
}

/** Reports the namespaces of each OperatorGroup and the APIs that its operators provide, and labels the namespaces. */
export function runOperatorGroups(context: SimulationContext): Promise<void> {
  const client = context.clientFor(olmUser);
  const all = enqueueAll(context, OperatorGroupKind);
  const inNamespace = enqueueBeside(context, OperatorGroupKind);
  return runController(context, {
    sources: [
      watch(context, OperatorGroupKind),
      watch(context, NamespaceKind, all),
      watch(context, CsvKind, inNamespace),
      watch(context, ServiceAccountKind, inNamespace),
    ],
    step: async (key) => {
      const group = await client.getOrUndefined(OperatorGroupKind, key);
      if (!group) return removeGroupRoles(client, key);
      if (group.metadata.deletionTimestamp) return;
      const now = timestamp(context.clock.now());
      const status = await statusOfAccount(client, group, now);
      if (status) {
        await client.status.update(OperatorGroupKind, { ...group, status });
        return;
      }
      // OLM reports no namespaces while the account does not exist.
      if (group.spec?.serviceAccountName && !group.status?.serviceAccountRef) return;
      const namespaces = await targetsOf(client, group);
      if (!equalJson(group.status?.namespaces, namespaces)) {
        const next = { ...group.status, lastUpdated: now, namespaces };
        await client.status.update(OperatorGroupKind, { ...group, status: next });
        return;
      }
      await labelNamespaces(client, group, namespaces);
      const csvs = await ownCsvs(client, group.metadata.namespace);
      const known = group.metadata.annotations?.["olm.providedAPIs"]?.split(",") ?? [];
      await keepGroupRoles(client, group, [...known.filter(Boolean), ...csvs.flatMap(providedApis)]);
      await writeProvidedApis(client, group, csvs);
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

async function writeProvidedApis(client: Client, group: OperatorGroup, csvs: readonly CsvObject[]): Promise<void> {
  const members = csvs.filter((csv) => csv.status && !isOutsideGroup(csv));
  const text = [...new Set(members.flatMap(providedApis))].toSorted().join(",");
  const before = group.metadata.annotations?.["olm.providedAPIs"] ?? "";
  if (text === before) return;
  const patch = mergePatch({ metadata: { annotations: { "olm.providedAPIs": text || null } } });
  await client.patch(OperatorGroupKind, objectKey(group), patch);
}

/** Returns the APIs that a CSV provides, as `Kind.version.group`. */
function providedApis({ spec }: CsvObject): string[] {
  const owned = spec.customresourcedefinitions?.owned ?? [];
  return owned.map(({ name, version, kind }) => `${kind}.${version}.${name.slice(name.indexOf(".") + 1)}`);
}

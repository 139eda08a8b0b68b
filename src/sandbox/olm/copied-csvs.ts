import { equalJson } from "../../apimachinery/equal.ts";
import { objectKey, type DeepReadonly, type Named, type ObjectMeta } from "../../apimachinery/meta.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import type { Client } from "../../client/client.ts";
import { copiedLabel, CsvKind, OlmConfigKind, type CsvObject } from "../../manifests/olm-kinds.ts";
import { enqueueFromMap } from "../../runtime/controller/handlers.ts";
import { NamespaceKind } from "../simulation/context/simulated-kinds.ts";
import { enqueueAll, runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { copiesGlobalCsvs, getOlmConfig, reportCopying } from "./csv-copying.ts";
import { isOutsideGroup } from "./csv-phase.ts";
import { grantInNamespace } from "./grant-in-namespace.ts";
import { olmUser } from "./olm-user.ts";

/** Reports whether OLM has copied a CSV from another namespace. */
export function isCopied({ metadata }: DeepReadonly<CsvObject>): boolean {
  return metadata.labels?.[copiedLabel] !== undefined;
}

/** Returns the CSVs of a namespace, or of all, that are no copies. */
export async function ownCsvs(client: Client, namespace?: string): Promise<Named<CsvObject>[]> {
  return (await client.list(CsvKind, { namespace, labels: `!${copiedLabel}` })).items;
}

/** Copies each CSV into the other namespaces that its operator serves, and grants its permissions there. */
export function runCopiedCsvs(context: SimulationContext): Promise<void> {
  const client = context.clientFor(olmUser);
  const all = enqueueAll(context, CsvKind, (csv) => !isCopied(csv));
  const original = enqueueFromMap(async ({ metadata }) => [
    { name: metadata.name ?? "", namespace: metadata.labels?.[copiedLabel] ?? metadata.namespace ?? "" },
  ]);
  return runController(context, {
    sources: [
      watch(context, CsvKind, original),
      watch(context, NamespaceKind, all),
      watch(context, OlmConfigKind, all),
    ],
    step: async ({ namespace = "", name }) => {
      const csv = await client.getOrUndefined(CsvKind, { namespace, name });
      const copies = await client.list(CsvKind, { labels: { [copiedLabel]: namespace } });
      const own = copies.items.filter(({ metadata }) => metadata.name === name);
      const isGlobal = csv?.metadata.annotations?.["olm.targetNamespaces"] === "";
      const isCopying = !isGlobal || copiesGlobalCsvs(await getOlmConfig(client));
      const targets = csv && isCopying ? await targetsOf(client, csv) : [];
      for (const copy of own.filter(({ metadata }) => !targets.includes(metadata.namespace ?? "")))
        await client.delete(CsvKind, objectKey(copy)).catch(ignoreNotFound);
      // The copies stay while a CSV is no member of its group.
      if (!csv?.status || csv.metadata.deletionTimestamp || isOutsideGroup(csv)) return;
      for (const target of targets) {
        const copy = await copyTo(client, csv, target);
        if (!isGlobal) await grantInNamespace(client, csv, copy);
      }
      if (isGlobal) await reportCopying(context, client, { csv, isCopied: isCopying });
    },
  });
}

/** Returns the other namespaces that an operator serves; none if its group conflicts with another. */
async function targetsOf(client: Client, { metadata, status }: CsvObject): Promise<string[]> {
  const targets = metadata.annotations?.["olm.targetNamespaces"]?.split(",");
  if (!targets || (status?.phase === "Failed" && status.reason === "InterOperatorGroupOwnerConflict")) return [];
  const { items } = await client.list(NamespaceKind);
  return items
    .filter((each) => !each.metadata.deletionTimestamp && each.metadata.name !== metadata.namespace)
    .map((each) => each.metadata.name)
    .filter((name) => targets.includes("") || targets.includes(name));
}

async function copyTo(client: Client, csv: Named<CsvObject>, namespace: string): Promise<Named<CsvObject>> {
  const message = `The operator is running in ${csv.metadata.namespace} but is managing this namespace`;
  const status = { ...csv.status!, reason: "Copied", message };
  const wanted = { ...copiedMetadata(csv), namespace };
  const existing = await client.getOrUndefined(CsvKind, { namespace, name: csv.metadata.name });
  const stored = !existing
    ? await client.create(CsvKind, { metadata: wanted, spec: csv.spec })
    : isSame(existing, { metadata: wanted, spec: csv.spec })
      ? existing
      : await client.update(CsvKind, {
          ...existing,
          metadata: { ...existing.metadata, ...wanted },
          spec: csv.spec,
        });
  if (equalJson(stored.status, status)) return stored;
  return client.status.update(CsvKind, { ...stored, status });
}

function isSame(a: CsvObject, b: CsvObject): boolean {
  const partsOf = ({ metadata, spec }: CsvObject): unknown => [metadata.labels, metadata.annotations, spec];
  return equalJson(partsOf(a), partsOf(b));
}

/** Returns the labels and annotations of a copy: no component of the operator, and without the other namespaces. */
function copiedMetadata({ metadata }: CsvObject): ObjectMeta {
  const { name = "", namespace = "", labels = {}, annotations = {} } = metadata;
  const without = (all: Readonly<Record<string, string>>, isLeftOut: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !isLeftOut(key)));
  const left = ["olm.targetNamespaces", "kubectl.kubernetes.io/last-applied-configuration"];
  return {
    name,
    labels: { ...without(labels, (key) => key.startsWith("operators.coreos.com/")), [copiedLabel]: namespace },
    annotations: without(annotations, (key) => left.includes(key)),
  };
}

import { equalJson } from "../../apimachinery/equal.ts";
import type { Kind } from "../../apimachinery/kind.ts";
import { objectKey, type DeepReadonly, type Named, type ObjectMeta } from "../../apimachinery/meta.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import type { Client } from "../../client/client.ts";
import { copiedLabel, CsvKind, type CsvObject } from "../../client/manifests/olm-kinds.ts";
import { enqueueFromMap } from "../../runtime/controller/handlers.ts";
import { NamespaceKind, RoleBindingKind, RoleKind } from "../simulation/context/simulated-kinds.ts";
import { enqueueAll, runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { ownerLabels, ownerReference } from "./owned-names.ts";

/** Reports whether OLM has copied a CSV from another namespace. */
export function isCopied({ metadata }: DeepReadonly<CsvObject>): boolean {
  return metadata.labels?.[copiedLabel] !== undefined;
}

/** Returns the CSVs of a namespace, or of all, without copies. */
export async function ownCsvs(client: Client, namespace?: string): Promise<Named<CsvObject>[]> {
  return (await client.list(CsvKind, { namespace, labels: `!${copiedLabel}` })).items;
}

/** Copies each CSV into the other namespaces that its operator serves, and grants its permissions there. */
export function runCopiedCsvs(context: SimulationContext, client: Client): Promise<void> {
  const all = enqueueAll(context, CsvKind, (csv) => !isCopied(csv));
  const original = enqueueFromMap(async ({ metadata }) => [
    { name: metadata.name ?? "", namespace: metadata.labels?.[copiedLabel] ?? metadata.namespace ?? "" },
  ]);
  return runController(context, {
    sources: [watch(context, CsvKind, original), watch(context, NamespaceKind, all)],
    step: async ({ namespace = "", name }) => {
      const csv = await client.getOrUndefined(CsvKind, { namespace, name });
      const copies = await client.list(CsvKind, { labels: { [copiedLabel]: namespace } });
      const own = copies.items.filter(({ metadata }) => metadata.name === name);
      const isGlobal = csv?.metadata.annotations?.["olm.targetNamespaces"] === "";
      const targets = csv ? await targetsOf(client, csv) : [];
      for (const copy of own.filter(({ metadata }) => !targets.includes(metadata.namespace ?? "")))
        await client.delete(CsvKind, objectKey(copy)).catch(ignoreNotFound);
      if (!csv?.status || csv.metadata.deletionTimestamp) return;
      for (const target of targets) {
        const copy = await copyTo(client, csv, target);
        if (!isGlobal) await grantInNamespace(client, csv, copy);
      }
    },
  });
}

/** Reasons for which a CSV is not a member of its group. */
const outside = new Set([
  "UnsupportedOperatorGroup",
  "NoOperatorGroup",
  "TooManyOperatorGroups",
  "InterOperatorGroupOwnerConflict",
]);

/** Returns the other namespaces that an operator serves; none if it is not a member of its group. */
async function targetsOf(client: Client, { metadata, status }: CsvObject): Promise<string[]> {
  const targets = metadata.annotations?.["olm.targetNamespaces"]?.split(",");
  if (!targets || (status?.phase === "Failed" && outside.has(status.reason))) return [];
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

/** Returns the labels and annotations of a copy, without the other namespaces. */
function copiedMetadata({ metadata }: CsvObject): ObjectMeta {
  const { name = "", namespace = "", labels = {} } = metadata;
  const {
    "olm.targetNamespaces": _,
    "kubectl.kubernetes.io/last-applied-configuration": __,
    ...annotations
  } = metadata.annotations ?? {};
  return { name, labels: { ...labels, [copiedLabel]: namespace }, annotations };
}

/** Copies the roles and bindings of a CSV into the namespace of its copy, which owns them. */
async function grantInNamespace(client: Client, csv: CsvObject, copy: Named<CsvObject>): Promise<void> {
  const { namespace: own = "" } = csv.metadata;
  const { namespace = "" } = copy.metadata;
  for (const kind of [RoleKind, RoleBindingKind] as Kind[]) {
    const { items } = await client.list(kind, { namespace: own, labels: ownerLabels(csv) });
    for (const { metadata, ...content } of items) {
      if (await client.getOrUndefined(kind, { namespace, name: metadata.name })) continue;
      const labels = { ...metadata.labels, ...ownerLabels(copy), [copiedLabel]: own };
      const copied = { name: metadata.name, namespace, labels, ownerReferences: [ownerReference(copy)] };
      await client.create(kind, { ...content, metadata: copied });
    }
  }
}

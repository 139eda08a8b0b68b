import type { Kind } from "../../apimachinery/kind.ts";
import { objectKey, type KubeObject, type Named, type ObjectKey } from "../../apimachinery/meta.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import { mergePatch } from "../../client/patches.ts";
import type { Client } from "../../client/client.ts";
import { CustomResourceDefinition } from "../../manifests/install-crds.ts";
import { CsvKind, InstallPlanKind, SubscriptionKind, type CsvObject } from "../../manifests/olm-kinds.ts";
import { enqueueFromMap } from "../../runtime/controller/handlers.ts";
import { enqueueAll, enqueueBeside, runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { componentKinds } from "./component-kinds.ts";
import { isCopied } from "./copied-csvs.ts";
import { olmUser } from "./olm-user.ts";
import { componentLabel, componentPrefix, operatorNames, ownerLabels } from "./owned-names.ts";

/** Labels the CSV and the newest InstallPlan of each Subscription with its package; takes the label from older plans. */
export function runSubscriptionAdoption(context: SimulationContext): Promise<void> {
  const client = context.clientFor(olmUser);
  const inNamespace = enqueueBeside(context, SubscriptionKind);
  return runController(context, {
    sources: [
      watch(context, SubscriptionKind),
      watch(context, CsvKind, inNamespace),
      watch(context, InstallPlanKind, inNamespace),
    ],
    step: async (key) => {
      const subscription = await client.getOrUndefined(SubscriptionKind, key);
      if (!subscription) return;
      const { namespace = "" } = subscription.metadata;
      const [label = ""] = Object.keys(componentLabel(subscription.spec.name, namespace));
      const { installedCSV: name, installPlanRef } = subscription.status ?? {};
      const csv = name === undefined ? undefined : await client.getOrUndefined(CsvKind, { namespace, name });
      if (csv) await adopt(client, CsvKind, csv, label);
      const latest = installPlanRef && (await client.getOrUndefined(InstallPlanKind, installPlanRef));
      if (!latest) return;
      await adopt(client, InstallPlanKind, latest, label);
      const { items } = await client.list(InstallPlanKind, { namespace, labels: label });
      for (const plan of items.filter(({ metadata }) => metadata.name !== latest.metadata.name))
        await setLabel(client, InstallPlanKind, { key: objectKey(plan), label, value: null });
    },
  });
}

/** Labels the objects that a CSV owns with the packages of the CSV. */
export function runComponentAdoption(context: SimulationContext): Promise<void> {
  const client = context.clientFor(olmUser);
  const owners = enqueueFromMap(async ({ metadata }) => csvsOf(metadata));
  const providers = enqueueAll(
    context,
    CsvKind,
    ({ spec }, { metadata }) =>
      spec.customresourcedefinitions?.owned?.some(({ name }) => name === metadata.name) ?? false,
  );
  const others = componentKinds.filter(({ kind }) => kind !== CsvKind.kind && kind !== CustomResourceDefinition.kind);
  return runController(context, {
    sources: [
      watch(context, CsvKind),
      watch(context, CustomResourceDefinition, providers),
      ...others.map((kind) => watch(context, kind, owners)),
    ],
    step: async (key) => {
      const csv = await client.getOrUndefined(CsvKind, key);
      if (!csv || isCopied(csv)) return;
      for (const name of operatorNames(csv))
        await adoptComponents(context, client, { csv, label: componentPrefix + name });
    },
  });
}

/** Names the CSVs that own an object: by references, or without a namespace by labels. */
function csvsOf({ namespace, labels = {}, ownerReferences = [] }: KubeObject["metadata"]): ObjectKey[] {
  if (namespace !== undefined)
    return ownerReferences.filter(({ kind }) => kind === CsvKind.kind).map(({ name }) => ({ namespace, name }));
  const { "olm.owner": name, "olm.owner.kind": kind, "olm.owner.namespace": of } = labels;
  return kind === CsvKind.kind && name !== undefined && of !== undefined ? [{ namespace: of, name }] : [];
}

/** Reads the cache: each change of an object leads to the next step. */
async function adoptComponents(
  { cache }: SimulationContext,
  client: Client,
  { csv, label }: { readonly csv: Named<CsvObject>; readonly label: string },
): Promise<void> {
  const { "olm.managed": _, ...labels } = ownerLabels(csv);
  const isOwn = ({ metadata }: KubeObject): boolean =>
    (metadata.ownerReferences?.some(({ uid }) => uid === csv.metadata.uid) ?? false) ||
    Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value);
  const crds = new Set(csv.spec.customresourcedefinitions?.owned?.map(({ name }) => name));
  for (const kind of componentKinds) {
    const { items } = await cache.list(kind, { labels: `!${label}` });
    const owned = items.filter(
      (object) => isOwn(object) || (kind.kind === CustomResourceDefinition.kind && crds.has(object.metadata.name)),
    );
    for (const object of owned) await adopt(client, kind, object, label);
  }
}

async function adopt(client: Client, kind: Kind, object: Named, label: string): Promise<void> {
  if (object.metadata.labels?.[label] !== undefined) return;
  await setLabel(client, kind, { key: objectKey(object), label, value: "" });
}

async function setLabel(
  client: Client,
  kind: Kind,
  { key, label, value }: { readonly key: ObjectKey; readonly label: string; readonly value: string | null },
): Promise<void> {
  const patch = mergePatch({ metadata: { labels: { [label]: value } } });
  await client.patch(kind, key, patch).catch(ignoreNotFound);
}

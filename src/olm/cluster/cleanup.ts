import type { Kind } from "../../apimachinery/kind.ts";
import { objectKey, type Named, type UnstructuredObject } from "../../apimachinery/meta.ts";
import { isForbidden } from "../../apimachinery/status.ts";
import { kindsOfCrd } from "../../client/discovery/crd-kinds.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import { CustomResourceDefinition } from "../../client/manifests/install-crds.ts";
import {
  CatalogSourceKind,
  copiedLabel,
  CsvKind,
  InstallPlanKind,
  OperatorGroupKind,
  registryPodAnnotation,
  SubscriptionKind,
  type CsvObject,
  type InstallPlan,
} from "../../client/manifests/olm-kinds.ts";
import { awaitGone, objectTitle, type Doomed } from "./await-gone.ts";
import { instead, requireOlm, type OlmHost } from "./olm-host.ts";
import { RoleBindingKind } from "./kinds.ts";
import { catalogName, operatorGroupName } from "./run-bundle.ts";

export interface CleanupOptions {
  readonly crds: boolean;
  readonly operatorGroups: boolean;
}

/**
 * Returns the objects of a package, in the order in which it is deleted: custom resources before the operator, whose
 * finalizers need it.
 */
export async function planCleanup(host: OlmHost, packageName: string, options: CleanupOptions): Promise<Doomed[]> {
  const { client, namespace } = host;
  await requireOlm(host);
  const subscriptions = await client.list(SubscriptionKind, { namespace });
  const subscription = subscriptions.items.find(({ spec }) => spec.name === packageName);
  const plans = await plansOf(host, subscription);
  const { installedCSV, currentCSV } = subscription?.status ?? {};
  const csvs = await findUpgrades(host, [currentCSV, installedCSV]);
  const owned = options.crds ? await ownedAlone(host, csvs) : [];
  const crds = await Promise.all(owned.map((name) => client.getOrUndefined(CustomResourceDefinition, { name })));
  const name = subscription?.spec.source ?? catalogName(packageName);
  const catalog = await client.getOrUndefined(CatalogSourceKind, { namespace, name });
  // A catalog of others stays.
  const isOwn =
    catalog?.metadata.annotations?.[registryPodAnnotation] !== undefined || name === catalogName(packageName);
  const groups = await client.list(OperatorGroupKind, { namespace });
  const isLast = subscriptions.items.every((each) => each === subscription);
  const group = groups.items.find(({ metadata }) => metadata.name === operatorGroupName);
  const doomed = (kind: Kind, objects: readonly (Named | undefined)[]): Doomed[] =>
    objects.flatMap((object) => (object ? [{ kind, object }] : []));
  return [
    ...doomed(SubscriptionKind, [subscription]),
    // OLM repeats the steps of such a plan: it would recreate a deleted CRD.
    ...doomed(InstallPlanKind, plans.filter(isUnfinished)),
    ...(await customResources(host, crds)),
    ...doomed(CustomResourceDefinition, crds),
    ...doomed(CsvKind, csvs),
    ...(await clusterObjects(host, plans)),
    ...(await serverBindings(host, csvs)),
    ...doomed(CatalogSourceKind, isOwn ? [catalog] : []),
    ...doomed(OperatorGroupKind, options.operatorGroups && isLast ? [group] : []),
  ];
}

/**
 * Finds CSVs by name, those that replace them, as a Subscription learns of an upgrade after it has succeeded, and those
 * that they replace, as OLM waits for the replacement to delete them.
 */
async function findUpgrades(
  { client, namespace }: OlmHost,
  names: readonly (string | undefined)[],
): Promise<Named<CsvObject>[]> {
  const items = (await client.list(CsvKind, { namespace })).items.filter(isOriginal);
  const known = new Set(names.filter((name) => name !== undefined));
  const isKnown = ({ metadata: { name }, spec: { replaces } }: Named<CsvObject>): boolean =>
    known.has(name) ||
    (replaces !== undefined && known.has(replaces)) ||
    items.some(({ metadata, spec }) => known.has(metadata.name) && spec.replaces === name);
  // Each round may make the next one known.
  for (let count = -1; count < known.size;) {
    count = known.size;
    for (const { metadata } of items.filter(isKnown)) known.add(metadata.name);
  }
  return items.filter(isKnown);
}

/** Reports whether OLM has not copied a CSV from another namespace. */
function isOriginal({ metadata }: CsvObject): boolean {
  return metadata.labels?.[copiedLabel] === undefined;
}

/** Returns the names of the CRDs that CSVs own, without those that operators of other namespaces own, too. */
async function ownedAlone({ client, namespace, emit }: OlmHost, csvs: readonly CsvObject[]): Promise<string[]> {
  const owned = new Set(csvs.flatMap(ownedCrds));
  if (owned.size === 0) return [];
  // A user without access to other namespaces has to confirm the loss of their custom resources, or may not delete them.
  const { items } = await client.list(CsvKind).catch(instead(isForbidden, { items: [] }));
  for (const csv of items.filter(isOriginal)) {
    if (csv.metadata.namespace === namespace) continue;
    const shared = ownedCrds(csv).filter((name) => owned.delete(name));
    for (const name of shared) emit(`${name} stays: ${objectTitle(CsvKind.kind, csv)} owns it, too`);
  }
  return [...owned];
}

function ownedCrds({ spec }: CsvObject): string[] {
  return (spec.customresourcedefinitions?.owned ?? []).map(({ name }) => name);
}

/** Finds the bindings of the servers of webhooks that OLM leaves behind, if the user may see them. */
async function serverBindings({ client, namespace }: OlmHost, csvs: readonly Named<CsvObject>[]): Promise<Doomed[]> {
  const deployments = new Set(
    csvs.flatMap(({ spec }) => (spec.webhookdefinitions ?? []).map(({ deploymentName = "" }) => deploymentName)),
  );
  const all = [...deployments].map(async (name): Promise<Doomed[]> => {
    const key = { namespace: "kube-system", name: `${name.replaceAll(".", "-")}-service-auth-reader` };
    const object = await client.getOrUndefined(RoleBindingKind, key).catch(instead(isForbidden, undefined));
    const subjects = (object?.["subjects"] ?? []) as { readonly namespace?: string }[];
    const isOwn = subjects.some((each) => each.namespace === namespace);
    return object && isOwn ? [{ kind: RoleBindingKind, object }] : [];
  });
  return (await Promise.all(all)).flat();
}

async function customResources(
  { client }: OlmHost,
  crds: readonly (UnstructuredObject | undefined)[],
): Promise<Doomed[]> {
  const all = crds.map(async (crd) => {
    const [kind] = crd ? kindsOfCrd(crd) : [];
    if (!kind) return [];
    const { items } = await client.list(kind);
    return items.map((object) => ({ kind, object, isCustomResource: true as const }));
  });
  return (await Promise.all(all)).flat();
}

/** Finds the InstallPlans of a Subscription. */
async function plansOf({ client, namespace }: OlmHost, subscription: Named | undefined): Promise<Named<InstallPlan>[]> {
  const { items } = await client.list(InstallPlanKind, { namespace });
  const isOwn = ({ metadata }: Named): boolean =>
    metadata.ownerReferences?.some(({ uid }) => uid === subscription?.metadata.uid) ?? false;
  return items.filter(isOwn);
}

function isUnfinished({ status }: InstallPlan): boolean {
  return status?.phase !== "Complete" && status?.phase !== "Failed";
}

/** Finds the cluster-scoped objects that InstallPlans have created. Nothing else deletes them. */
async function clusterObjects({ client }: OlmHost, plans: readonly InstallPlan[]): Promise<Doomed[]> {
  const steps = plans.flatMap(({ status }) => status?.plan ?? []);
  const found = steps.map(async ({ status, resource }): Promise<Doomed[]> => {
    const { group, version, kind: name } = resource;
    if (status !== "Created" || name === CsvKind.kind || name === CustomResourceDefinition.kind) return [];
    const kind = await client.kindFor(group ? `${group}/${version}` : version, name);
    if (kind.scope === "Namespaced") return [];
    const object = await client.getOrUndefined(kind, { name: resource.name });
    return object ? [{ kind, object }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Names the custom resources among objects. */
export function customResourceNames(doomed: readonly Doomed[]): string[] {
  return doomed
    .filter(({ isCustomResource }) => isCustomResource)
    .map(({ kind, object }) => objectTitle(kind.kind, object));
}

/** Deletes objects one after the other, each when the one before is gone. */
export async function cleanUp(host: OlmHost, doomed: readonly Doomed[]): Promise<void> {
  const deadline = Date.now() + host.timeoutMs;
  for (const { kind, object, isCustomResource } of doomed) {
    const key = objectKey(object);
    const { uid } = object.metadata;
    await host.client
      .delete(kind, key, {
        // It goes after its dependents: once its kind is gone, they would not be collected.
        propagationPolicy: isCustomResource ? "Foreground" : "Background",
        ...(uid !== undefined && { preconditions: { uid } }),
      })
      .catch(ignoreNotFound);
    await awaitGone(host, { kind, object }, { deadline });
  }
}

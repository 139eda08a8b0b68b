import type { CsvObject, Subscription } from "../../manifests/olm-kinds.ts";
import type { Catalog, CatalogBundle, ChannelEntry } from "./catalog-content.ts";

interface Installed {
  readonly installedCSV: string | undefined;
  /** The CSVs in the namespace of the subscription. */
  readonly csvs: readonly CsvObject[];
  /** Its other subscriptions. */
  readonly subscriptions: readonly Subscription[];
}

/** Returns the bundle to install next, none if the newest is installed, or the reason why none fits. */
export function resolveSubscription(
  { metadata, spec }: Subscription,
  catalog: Catalog,
  installed: Installed,
): { readonly bundle: CatalogBundle | undefined } | { readonly problem: string } {
  const { name: subscription = "" } = metadata;
  const { installedCSV } = installed;
  const exists = `subscription ${subscription} exists`;
  const unsatisfiable = (...why: string[]) => ({
    problem: `constraints not satisfiable: ${[...why, exists].toSorted().join(", ")}`,
  });
  const where = `in the catalog referenced by subscription ${subscription}`;
  const found = catalog.packages.find(({ name }) => name === spec.name);
  if (!found) return unsatisfiable(`no operators found in package ${spec.name} ${where}`);
  const channelName = spec.channel ?? found.defaultChannel;
  const channel = catalog.channels.find((each) => each.package === spec.name && each.name === channelName);
  if (!channel) return unsatisfiable(`no operators found in channel ${channelName} of package ${spec.name} ${where}`);
  const entry = nextEntry(channel.entries, installedCSV, spec.startingCSV);
  if (entry === "missing") {
    const start = `no operators found with name ${spec.startingCSV} in channel ${channelName} of package ${spec.name}`;
    return unsatisfiable(`${start} ${where}`);
  }
  const bundle = entry && catalog.bundles.find((each) => each.package === spec.name && each.name === entry.name);
  if (!bundle) return { bundle };
  const wanted = `${spec.source}/${metadata.namespace}/${channelName}/${bundle.name}`;
  const requires = `subscription ${subscription} requires ${wanted}`;
  const missing = missingApi(bundle, catalog, installed.csvs);
  if (missing) return unsatisfiable(`bundle ${bundle.name} requires an operator ${missing}`, requires);
  const taken = takenApi(bundle, wanted, installed);
  return taken ? unsatisfiable(...taken, requires) : { bundle };
}

/** Explains that another operator of the namespace provides an API of a bundle. */
function takenApi(
  bundle: CatalogBundle,
  wanted: string,
  { installedCSV, csvs, subscriptions }: Installed,
): string[] | undefined {
  const own = new Map(gvksOf(bundle, "olm.gvk").map((gvk) => [keyOf(gvk), gvk]));
  for (const { metadata, spec } of csvs.filter((csv) => csv.metadata.name !== installedCSV)) {
    const taken = ownedGvks(spec).find((gvk) => own.has(keyOf(gvk)));
    if (!taken) continue;
    const holder = `@existing/${metadata.namespace}//${metadata.name}`;
    const { group, version, kind } = taken;
    const theirs = subscriptions.filter(({ status }) => status?.installedCSV === metadata.name);
    const lines = theirs.flatMap((each) => [
      `subscription ${each.metadata.name} exists`,
      `subscription ${each.metadata.name} requires ${holder}`,
    ]);
    return [`${holder} and ${wanted} provide ${kind} (${group}/${version})`, ...lines];
  }
  return undefined;
}

function nextEntry(
  entries: readonly ChannelEntry[],
  installed: string | undefined,
  starting: string | undefined,
): ChannelEntry | undefined | "missing" {
  if (installed !== undefined)
    return entries.find(({ replaces, skips }) => replaces === installed || skips?.includes(installed));
  if (starting !== undefined) return entries.find(({ name }) => name === starting) ?? "missing";
  const replaced = new Set(entries.flatMap(({ replaces, skips = [] }) => [replaces, ...skips]));
  return entries.find(({ name }) => !replaced.has(name));
}

interface Gvk {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

function gvksOf({ properties }: CatalogBundle, type: string): Gvk[] {
  return properties.filter((each) => each.type === type).map(({ value }) => value as Gvk);
}

function ownedGvks(spec: CsvObject["spec"]): Gvk[] {
  return (spec.customresourcedefinitions?.owned ?? []).map(({ name, version, kind }) => ({
    group: name.slice(name.indexOf(".") + 1),
    version,
    kind,
  }));
}

function keyOf({ group, version, kind }: Gvk): string {
  return `${group}/${version}/${kind}`;
}

/** Describes the first required API that neither an installed operator nor the catalog provides. */
function missingApi(bundle: CatalogBundle, catalog: Catalog, csvs: readonly CsvObject[]): string | undefined {
  const ofCatalog = catalog.bundles.flatMap((each) => gvksOf(each, "olm.gvk"));
  const known = new Set([...ofCatalog, ...csvs.flatMap(({ spec }) => ownedGvks(spec))].map(keyOf));
  const missing = gvksOf(bundle, "olm.gvk.required").find((gvk) => !known.has(keyOf(gvk)));
  return missing && `providing an API with group: ${missing.group}, version: ${missing.version}, kind: ${missing.kind}`;
}

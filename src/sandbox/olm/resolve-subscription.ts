import type { CsvObject, Subscription } from "../../client/manifests/olm-kinds.ts";
import type { Catalog, CatalogBundle, ChannelEntry } from "./catalog-content.ts";

interface Installed {
  readonly installedCSV: string | undefined;
  /** The CSVs in the namespace of the subscription. */
  readonly csvs: readonly CsvObject[];
}

/** Returns the bundle to install next, none if the newest is installed, or the reason why none fits. */
export function resolveSubscription(
  { spec }: Subscription,
  catalog: Catalog,
  installed: Installed,
): { readonly bundle: CatalogBundle | undefined } | { readonly problem: string } {
  const { installedCSV } = installed;
  const found = catalog.packages.find(({ name }) => name === spec.name);
  if (!found) return { problem: `the catalog ${spec.source} has no package ${spec.name}` };
  const channelName = spec.channel ?? found.defaultChannel;
  const channel = catalog.channels.find((each) => each.package === spec.name && each.name === channelName);
  if (!channel) return { problem: `the package ${spec.name} has no channel ${channelName}` };
  const entry = nextEntry(channel.entries, installedCSV, spec.startingCSV);
  if (entry === "missing") return { problem: `the channel ${channelName} has no ${spec.startingCSV}` };
  const bundle = entry && catalog.bundles.find((each) => each.package === spec.name && each.name === entry.name);
  const problem = bundle && (missingApi(bundle, catalog, installed.csvs) ?? takenApi(bundle, installed));
  return problem === undefined ? { bundle } : { problem };
}

/** Explains that another operator of the namespace provides an API of a bundle. */
function takenApi(bundle: CatalogBundle, { installedCSV, csvs }: Installed): string | undefined {
  const own = new Set(gvksOf(bundle, "olm.gvk").map(keyOf));
  for (const { metadata, spec } of csvs.filter((csv) => csv.metadata.name !== installedCSV)) {
    const taken = ownedGvks(spec).find((gvk) => own.has(keyOf(gvk)));
    if (taken) return `${metadata.name} and ${bundle.name} provide ${keyOf(taken)}`;
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
  return missing && `${bundle.name} requires ${keyOf(missing)}, which no operator provides`;
}

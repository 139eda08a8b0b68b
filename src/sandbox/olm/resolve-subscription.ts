import type { CsvObject, Subscription } from "../../manifests/olm-kinds.ts";
import type { Catalog, CatalogBundle, ChannelEntry } from "./catalog-content.ts";

interface Installed {
  readonly installedCSV: string | undefined;
  /** The CSVs in the namespace of the subscription. */
  readonly csvs: readonly CsvObject[];
}

/** Returns the bundle to install next, none if the newest is installed, or the reason why none fits. */
export function resolveSubscription(
  { metadata, spec }: Subscription,
  catalog: Catalog,
  { installedCSV, csvs }: Installed,
): { readonly bundle: CatalogBundle | undefined } | { readonly problem: string } {
  const { name: subscription = "" } = metadata;
  const unsatisfiable = (why: string) => ({
    problem: `constraints not satisfiable: ${why}, subscription ${subscription} exists`,
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
  const missing = bundle && missingApi(bundle, catalog, csvs);
  return missing ? unsatisfiable(`bundle ${bundle.name} requires an operator ${missing}`) : { bundle };
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

/** Describes the first required API that neither an installed operator nor the catalog provides. */
function missingApi(bundle: CatalogBundle, catalog: Catalog, csvs: readonly CsvObject[]): string | undefined {
  const of = ({ properties }: CatalogBundle, type: string): Gvk[] =>
    properties.filter((each) => each.type === type).map(({ value }) => value as Gvk);
  const owned = csvs.flatMap(({ spec }) => spec.customresourcedefinitions?.owned ?? []);
  const provided = [
    ...catalog.bundles.flatMap((each) => of(each, "olm.gvk")),
    ...owned.map(({ name, version, kind }) => ({ group: name.slice(name.indexOf(".") + 1), version, kind })),
  ];
  const keyOf = ({ group, version, kind }: Gvk): string => `${group}/${version}/${kind}`;
  const known = new Set(provided.map(keyOf));
  const missing = of(bundle, "olm.gvk.required").find((gvk) => !known.has(keyOf(gvk)));
  return missing && `providing an API with group: ${missing.group}, version: ${missing.version}, kind: ${missing.kind}`;
}

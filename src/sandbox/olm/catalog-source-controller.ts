import { equalJson } from "../../apimachinery/equal.ts";
import { timestamp } from "../../apimachinery/time.ts";
import type { Client } from "../../client/client.ts";
import {
  CatalogSourceKind,
  type CatalogSource,
  registryPodAnnotation,
  CsvKind,
  type CsvObject,
  type Subscription,
} from "../../client/manifests/olm-kinds.ts";
import { enqueueBeside, runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { PodKind, ConfigMapKind } from "../simulation/context/simulated-kinds.ts";
import { gunzipSync } from "node:zlib";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { parseDocuments } from "../../client/manifests/parse-documents.ts";

/** Reports the connection to each catalog. */
export function runCatalogSources(context: SimulationContext, client: Client): Promise<void> {
  const served = enqueueBeside(
    context,
    CatalogSourceKind,
    ({ metadata }, pod) => metadata.annotations?.[registryPodAnnotation] === pod.metadata.name,
  );
  return runController(context, {
    sources: [watch(context, CatalogSourceKind), watch(context, PodKind, served)],
    step: async (key) => {
      const catalog = await client.getOrUndefined(CatalogSourceKind, key);
      if (!catalog || catalog.metadata.deletionTimestamp) return;
      const status = await statusOf(catalog);
      const before = catalog.status?.connectionState;
      if (before && before.lastObservedState === status.connectionState?.lastObservedState) return;
      if (!equalJson(catalog.status, status)) await client.status.update(CatalogSourceKind, { ...catalog, status });
    },
  });

  async function statusOf(catalog: CatalogSource): Promise<NonNullable<CatalogSource["status"]>> {
    const { address, image } = catalog.spec;
    if (address === undefined) {
      const what = image === undefined ? catalog.spec.sourceType : `image ${image}`;
      return { reason: "SpecInvalidError", message: `the catalog of ${what} is not served here: images do not run` };
    }
    const isServed = (await readCatalog(client, catalog)) !== undefined;
    const now = timestamp(context.clock.now());
    return {
      connectionState: { address, lastConnect: now, lastObservedState: isServed ? "READY" : "TRANSIENT_FAILURE" },
      registryService: { createdAt: catalog.status?.registryService?.createdAt ?? now, protocol: "grpc" },
    };
  }
}

/** A version of an operator in a catalog. */
export interface CatalogBundle {
  readonly name: string;
  readonly package: string;
  readonly image: string;
  readonly properties: readonly { readonly type: string; readonly value: unknown }[];
}

interface ChannelEntry {
  readonly name: string;
  readonly replaces?: string;
  readonly skips?: readonly string[];
}

/** The content of a file-based catalog. */
interface Catalog {
  readonly packages: readonly { readonly name: string; readonly defaultChannel: string }[];
  readonly channels: readonly { readonly package: string; readonly name: string; readonly entries: ChannelEntry[] }[];
  readonly bundles: readonly CatalogBundle[];
}

/**
 * Reads the catalog that the pod of a CatalogSource serves: the parts in the ConfigMaps that it mounts. Returns
 * `undefined` unless the pod exists and runs. No image is run here.
 */
export async function readCatalog(client: Client, { metadata }: CatalogSource): Promise<Catalog | undefined> {
  const { namespace } = metadata;
  const name = metadata.annotations?.[registryPodAnnotation];
  const pod = name === undefined ? undefined : await client.getOrUndefined(PodKind, { namespace, name });
  if (pod?.status?.phase !== "Running") return undefined;
  const volumes = (pod.spec["volumes"] ?? []) as { configMap?: { name: string } }[];
  const names = volumes.flatMap(({ configMap }) => (configMap ? [configMap.name] : []));
  const texts = await Promise.all(names.map((each) => readPart(client, { namespace, name: each })));
  return parseCatalog(texts.flat().join("\n---\n"));
}

async function readPart(client: Client, key: { namespace: string | undefined; name: string }): Promise<string[]> {
  const part = await client.getOrUndefined(ConfigMapKind, key);
  return Object.values(part?.binaryData ?? {}).map((data) => gunzipSync(Buffer.from(data, "base64")).toString("utf8"));
}

function parseCatalog(text: string): Catalog {
  const documents = parseDocuments(text, "catalog") as ({ schema?: string } | null)[];
  const ofSchema = (schema: string): unknown[] => documents.filter((each) => each?.schema === schema);
  return {
    packages: ofSchema("olm.package") as Catalog["packages"],
    channels: ofSchema("olm.channel") as Catalog["channels"],
    bundles: ofSchema("olm.bundle") as CatalogBundle[],
  };
}

/** Returns the objects in a bundle of a catalog, the ClusterServiceVersion first. */
export function bundleObjects(bundle: CatalogBundle): { csv: CsvObject | undefined; others: UnstructuredObject[] } {
  const objects = bundle.properties
    .filter(({ type }) => type === "olm.bundle.object")
    .map(({ value }) => {
      const { data } = value as { data: string };
      return JSON.parse(Buffer.from(data, "base64").toString("utf8")) as UnstructuredObject;
    });
  const csv = objects.find(({ kind }) => kind === CsvKind.kind) as CsvObject | undefined;
  return { csv, others: objects.filter(({ kind }) => kind !== CsvKind.kind) };
}

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

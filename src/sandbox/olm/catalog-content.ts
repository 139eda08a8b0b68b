import { gunzipSync } from "node:zlib";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import { parseDocuments } from "../../client/manifests/parse-documents.ts";
import {
  CsvKind,
  type CatalogSource,
  type CsvObject,
  registryPodAnnotation,
} from "../../client/manifests/olm-kinds.ts";
import { ConfigMapKind, PodKind } from "../simulation/context/simulated-kinds.ts";

/** A version of an operator in a catalog. */
export interface CatalogBundle {
  readonly name: string;
  readonly package: string;
  readonly image: string;
  readonly properties: readonly { readonly type: string; readonly value: unknown }[];
}

export interface ChannelEntry {
  readonly name: string;
  readonly replaces?: string;
  readonly skips?: readonly string[];
}

/** The content of a file-based catalog. */
export interface Catalog {
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

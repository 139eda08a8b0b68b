import type { Named, UnstructuredObject } from "../../apimachinery/meta.ts";
import { isKindNotServed } from "../../client/calls/api-caller.ts";
import { CsvKind, type CsvObject } from "../../client/manifests/olm-kinds.ts";
import type { Manifest } from "../../client/manifests/read-manifests.ts";
import type { OlmHost } from "./olm-host.ts";

export interface ReleaseRow {
  readonly name: string;
  readonly namespace: string;
  readonly kind: string;
  readonly status: string;
}

/** Returns the state of each object of a release. */
export async function olmStatus(host: OlmHost, release: readonly Manifest[]): Promise<ReleaseRow[]> {
  const rows = release.map(async ({ object }): Promise<ReleaseRow> => {
    const { name = "", namespace = "" } = object.metadata;
    const found = await findOfManifest(host, object);
    return { name, namespace, kind: object.kind ?? "", status: found ? stateOf(found) : "Absent" };
  });
  return Promise.all(rows);
}

function stateOf(object: UnstructuredObject): string {
  if (object.metadata.deletionTimestamp) return "Terminating";
  if (object.kind !== CsvKind.kind) return "Installed";
  return (object as unknown as CsvObject).status?.phase ?? "Installed";
}

/** Finds the object of a manifest; none if its kind is not served, as after its CRD is gone. */
export async function findOfManifest(
  { client }: OlmHost,
  { apiVersion = "", kind = "", metadata }: UnstructuredObject,
): Promise<Named<UnstructuredObject> | undefined> {
  try {
    const served = await client.kindFor(apiVersion, kind);
    return await client.getOrUndefined(served, { namespace: metadata.namespace, name: metadata.name ?? "" });
  } catch (error) {
    if (isKindNotServed(error)) return undefined;
    throw error;
  }
}

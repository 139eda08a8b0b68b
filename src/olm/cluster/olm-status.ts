import type { Named, UnstructuredObject } from "../../apimachinery/meta.ts";
import { isKindNotServed } from "../../client/calls/api-caller.ts";
import { CsvKind, type CsvObject } from "../../client/manifests/olm-kinds.ts";
import type { Manifest } from "../../client/manifests/read-manifests.ts";
import { instead, type OlmHost } from "./olm-host.ts";
import { CustomResourceDefinition } from "../../client/manifests/install-crds.ts";
import { labelledKinds, RoleBindingKind } from "./kinds.ts";

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
  const key = { namespace: metadata.namespace, name: metadata.name ?? "" };
  return client
    .kindFor(apiVersion, kind)
    .then((served) => client.getOrUndefined(served, key))
    .catch(instead(isKindNotServed, undefined));
}

/**
 * Reports whether a cluster has anything that `uninstallOlm` could remove, in any release of OLM: its CRDs, its namespaces,
 * the roles that stay when both are deleted by hand, or objects that OLM has made for operators.
 */
export async function hasTracesOfOlm(host: OlmHost): Promise<boolean> {
  const { client } = host;
  const crds = await client.list(CustomResourceDefinition);
  if (crds.items.some(({ metadata }) => metadata.name.endsWith(`.${CsvKind.group}`))) return true;
  const found = await Promise.all(releaseObjects.map((object) => findOfManifest(host, object)));
  if (found.some((object) => object !== undefined)) return true;
  const made = await Promise.all([
    ...labelledKinds.map((kind) => client.list(kind, { labels: "olm.owner.kind", limit: 1 })),
    client.list(RoleBindingKind, { namespace: "kube-system", labels: "olm.managed=true", limit: 1 }),
  ]);
  return made.some(({ items }) => items.length > 0);
}

const rbac = "rbac.authorization.k8s.io/v1";

/** The cluster-scoped objects that each release has, in addition to its CRDs. */
const releaseObjects: readonly UnstructuredObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "olm" } },
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "operators" } },
  { apiVersion: rbac, kind: "ClusterRole", metadata: { name: "system:controller:operator-lifecycle-manager" } },
  { apiVersion: rbac, kind: "ClusterRole", metadata: { name: "aggregate-olm-edit" } },
  { apiVersion: rbac, kind: "ClusterRole", metadata: { name: "aggregate-olm-view" } },
  { apiVersion: rbac, kind: "ClusterRoleBinding", metadata: { name: "olm-operator-binding-olm" } },
];

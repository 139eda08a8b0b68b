import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { isRole } from "./wanted-resources.ts";

/** A service account. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

interface Binding extends UnstructuredObject {
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly kind?: string; readonly name?: string; readonly namespace?: string }[];
}

/** Returns the roles of a cluster that bindings give to an account, and those that manifests are about to replace. */
export function rolesOnCluster(
  objects: readonly UnstructuredObject[],
  manifests: readonly UnstructuredObject[],
  account: Account | undefined,
): UnstructuredObject[] {
  const wanted = new Set(manifests.filter(isRole).map(idOf));
  for (const { metadata, roleRef, subjects = [] } of objects as readonly Binding[]) {
    const isGranted = subjects.some(
      ({ kind, name, namespace }) =>
        kind === "ServiceAccount" && name === account?.name && namespace === account?.namespace,
    );
    if (roleRef && isGranted) wanted.add(idOf({ kind: roleRef.kind, metadata: { ...metadata, name: roleRef.name } }));
  }
  return objects.filter((object) => isRole(object) && wanted.has(idOf(object)));
}

function idOf({ kind, metadata: { namespace = "", name } }: UnstructuredObject): string {
  return `${kind} ${kind === "ClusterRole" ? "" : namespace}/${name}`;
}

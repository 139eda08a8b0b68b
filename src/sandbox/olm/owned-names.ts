import { createHash } from "node:crypto";
import type { CsvObject } from "../../client/manifests/olm-kinds.ts";
import type { ObjectMeta } from "../../apimachinery/meta.ts";

/** Returns a short hash of JSON. */
export function hashOf(value: unknown): string {
  return createHash("sha224").update(JSON.stringify(value)).digest("hex").slice(0, 38);
}

/** Returns a name of at most 63 characters that ends in a hash. */
export function hashedName(base: string, value: unknown): string {
  return `${base.slice(0, 24)}-${hashOf(value)}`;
}

/** Labels of the objects that belong to a CSV. */
export function ownerLabels({ metadata }: Pick<CsvObject, "metadata">): Record<string, string> {
  return {
    "olm.managed": "true",
    "olm.owner": metadata.name ?? "",
    "olm.owner.kind": "ClusterServiceVersion",
    "olm.owner.namespace": metadata.namespace ?? "",
  };
}

/** Returns the names of the service accounts for which a CSV asks for permissions. */
export function accountNames({ spec }: CsvObject): string[] {
  const { permissions = [], clusterPermissions = [] } = spec.install?.spec ?? {};
  return [...new Set([...permissions, ...clusterPermissions].map(({ serviceAccountName }) => serviceAccountName))];
}

/** The reference of an object to its CSV. */
export function ownerReference({ metadata }: CsvObject): NonNullable<ObjectMeta["ownerReferences"]>[number] {
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    controller: false,
    blockOwnerDeletion: false,
  };
}

import type { OwnerReference, UnstructuredObject } from "../../../apimachinery/meta.ts";

/** Removes repeated owner references. */
export function dropRepeatedOwners({ metadata }: UnstructuredObject): void {
  const { ownerReferences } = metadata;
  if (ownerReferences === undefined || ownerReferences.length < 2) return;
  const kept = new Map<string, OwnerReference>();
  for (const owner of ownerReferences) {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owner;
    const id = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (!kept.has(id)) kept.set(id, owner);
  }
  if (kept.size < ownerReferences.length) metadata.ownerReferences = [...kept.values()];
}

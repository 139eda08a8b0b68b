import type { OwnerReference, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Call } from "../request/call.ts";

/** Removes repeated owner references, with a warning. `isAdmitted` tells that admission may have added them. */
export function dropRepeatedOwners(call: Call, { metadata }: UnstructuredObject, isAdmitted = false): void {
  const { ownerReferences } = metadata;
  if (ownerReferences === undefined || ownerReferences.length < 2) return;
  const kept = new Map<string, OwnerReference>();
  const repeated: string[] = [];
  for (const owner of ownerReferences) {
    const id = textOf(owner);
    if (kept.has(id)) repeated.push(owner.uid);
    else kept.set(id, owner);
  }
  if (repeated.length === 0) return;
  metadata.ownerReferences = [...kept.values()];
  const warning =
    `.metadata.ownerReferences contains duplicate entries${isAdmitted ? " after mutating admission happens" : ""}; ` +
    "API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; " +
    `please fix your requests; duplicate UID(s) observed: ${repeated.join(", ")}`;
  // A retried update finds the same owners again.
  if (!call.warnings.includes(warning)) call.warnings.push(warning);
}

function textOf({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string {
  return JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
}

import { foregroundFinalizer, orphanFinalizer } from "../../../apimachinery/collector-finalizers.ts";
import type { OwnerReference } from "../../../apimachinery/meta.ts";

/** The state of an owner: it exists, it does not, or it waits until its dependents are deleted. */
export type OwnerState = "solid" | "absent" | "waiting";

/** The action of the garbage collector on a dependent. */
export type OwnerVerdict =
  | { readonly type: "keep" }
  | { readonly type: "drop-owners"; readonly owners: readonly OwnerReference[] }
  | { readonly type: "delete"; readonly propagationPolicy: "Orphan" | "Background" | "Foreground" };

export interface Dependent {
  readonly owners: readonly { readonly owner: OwnerReference; readonly state: OwnerState }[];
  readonly finalizers: readonly string[];
  readonly hasDependents: boolean;
}

/** Decides about an object: it is kept as long as one owner exists, without its references to others. */
export function ownerVerdict({ owners, finalizers, hasDependents }: Dependent): OwnerVerdict {
  if (owners.length === 0) return { type: "keep" };
  const leaving = owners.filter(({ state }) => state !== "solid");
  if (leaving.length === 0) return { type: "keep" };
  if (leaving.length < owners.length) return { type: "drop-owners", owners: leaving.map(({ owner }) => owner) };
  const waiting = leaving.some(({ state }) => state === "waiting");
  if (waiting && hasDependents) return { type: "delete", propagationPolicy: "Foreground" };
  if (finalizers.includes(orphanFinalizer)) return { type: "delete", propagationPolicy: "Orphan" };
  return { type: "delete", propagationPolicy: finalizers.includes(foregroundFinalizer) ? "Foreground" : "Background" };
}

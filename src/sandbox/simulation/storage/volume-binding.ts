import { compareQuantities, parseQuantity } from "../../../apimachinery/quantity.ts";
import { objectReference } from "../../../apimachinery/object-reference.ts";
import type { Claim, Volume } from "../context/simulated-kinds.ts";

export const boundByController: Record<string, string> = { "pv.kubernetes.io/bound-by-controller": "yes" };
export const bindCompleted: Record<string, string> = { "pv.kubernetes.io/bind-completed": "yes" };

/** Finds the smallest free volume that satisfies a claim. */
export function findVolume(volumes: readonly Volume[], claim: Claim): Volume | undefined {
  const fitting = volumes.filter((volume) => isFor(volume, claim) && fits(volume, claim));
  return fitting.toSorted((a, b) => compareQuantities(sizeOf(a), sizeOf(b)))[0];
}

/** Reports whether no other claim has the volume. */
export function isFor({ metadata, spec }: Volume, claim: Claim): boolean {
  if (metadata.deletionTimestamp) return false;
  if (!spec.claimRef) return true;
  const { namespace, name, uid } = spec.claimRef;
  const isNamed = namespace === claim.metadata.namespace && name === claim.metadata.name;
  return isNamed && (!uid || uid === claim.metadata.uid);
}

/** Returns the volume for a claim of the simulated class. */
export function newVolume(claim: Claim, storageClassName: string): Volume {
  const { metadata, spec } = claim;
  const name = `pvc-${metadata.uid}`;
  return {
    metadata: { name },
    spec: {
      accessModes: spec.accessModes ?? [],
      capacity: { storage: spec.resources?.requests?.["storage"] ?? "1Gi" },
      claimRef: objectReference(claim),
      hostPath: { path: `/simulated/${name}`, type: "" },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName,
      volumeMode: spec.volumeMode ?? "Filesystem",
    },
  };
}

function fits(volume: Volume, { spec }: Claim): boolean {
  const modes = volume.spec.accessModes ?? [];
  const wanted = parseQuantity(spec.resources?.requests?.["storage"] ?? "0");
  return (
    (volume.spec.storageClassName ?? "") === (spec.storageClassName ?? "") &&
    (volume.spec.volumeMode ?? "Filesystem") === (spec.volumeMode ?? "Filesystem") &&
    (spec.accessModes ?? []).every((mode) => modes.includes(mode)) &&
    compareQuantities(sizeOf(volume), wanted) >= 0
  );
}

function sizeOf({ spec }: Volume): ReturnType<typeof parseQuantity> {
  return parseQuantity(spec.capacity?.["storage"] ?? "0");
}

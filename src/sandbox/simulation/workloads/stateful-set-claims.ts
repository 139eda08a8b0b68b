import { equalJson } from "../../../apimachinery/equal.ts";
import type { OwnerReference } from "../../../apimachinery/meta.ts";
import { isAlreadyExists } from "../../../apimachinery/status.ts";
import type { Client } from "../../../client/client.ts";
import { PodKind, type Pod, ClaimKind, StatefulSetKind, type StatefulSet } from "../context/simulated-kinds.ts";
import type { PersistentVolumeClaim } from "../../../k8s/core/v1.ts";
import { controllerReference, isRefusal } from "./controlled-pods.ts";
import { isMember } from "./stateful-set-plan.ts";

export function claimName(claim: PersistentVolumeClaim, pod: string): string {
  return `${claim.metadata.name}-${pod}`;
}

/** Creates a claim. Returns false if it exists: claims outlive their pods and sets. A refusal is returned, too. */
export async function createClaim(
  client: Client,
  set: StatefulSet,
  { claim, name }: { claim: PersistentVolumeClaim; name: string },
): Promise<boolean | Error> {
  const { namespace } = set.metadata;
  const labels = { ...claim.metadata.labels, ...set.spec.selector.matchLabels };
  const metadata = { ...claim.metadata, name, labels, ...(namespace && { namespace }) };
  try {
    await client.create(ClaimKind, { ...claim, spec: claim.spec ?? {}, metadata });
    return true;
  } catch (error) {
    if (isAlreadyExists(error)) return false;
    if (isRefusal(error)) return error;
    throw error;
  }
}

/** Gives the claims of pods the owners with which they are deleted: their set, or a pod that is scaled away. */
export async function ownClaims(client: Client, set: StatefulSet, pods: readonly Pod[]): Promise<void> {
  const templates = set.spec.volumeClaimTemplates ?? [];
  if (templates.length === 0 || pods.length === 0) return;
  const { items } = await client.list(ClaimKind, { namespace: set.metadata.namespace });
  for (const pod of pods) {
    const names = templates.map((template) => claimName(template, pod.metadata.name ?? ""));
    for (const claim of items.filter(({ metadata }) => names.includes(metadata.name))) {
      const before = claim.metadata.ownerReferences ?? [];
      const ownerReferences = ownersOf(before, set, pod);
      if (equalJson(ownerReferences, before)) continue;
      await client.update(ClaimKind, { ...claim, metadata: { ...claim.metadata, ownerReferences } });
    }
  }
}

function ownersOf(before: OwnerReference[], set: StatefulSet, pod: Pod): OwnerReference[] {
  const known = [controllerReference(StatefulSetKind, set), controllerReference(PodKind, pod)];
  const isOwn = (reference: OwnerReference) =>
    known.some(({ kind, name }) => reference.kind === kind && reference.name === name);
  const own = before.filter(isOwn);
  const others = before.filter((reference) => !isOwn(reference));
  // An owner with another uid is a former one; the garbage collector decides about the claim.
  if (own.some(({ uid }) => known.every((reference) => reference.uid !== uid))) return before;
  const wanted = ownerOf(set, pod);
  return wanted && !others.some(({ controller }) => controller) ? [...others, wanted] : others;
}

function ownerOf(set: StatefulSet, pod: Pod): OwnerReference | undefined {
  const { whenScaled, whenDeleted } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  if (whenScaled === "Delete" && !isMember(set, pod)) return controllerReference(PodKind, pod);
  return whenDeleted === "Delete" ? controllerReference(StatefulSetKind, set) : undefined;
}

import type * as apps from "../../../k8s/apps/v1.ts";
import { availableIn, isFinished, isLeaving, isReady } from "../pods/pod-state.ts";
import { type StatefulSet, type Pod, PodKind, ClaimKind, StatefulSetKind } from "../context/simulated-kinds.ts";
import { mostOfStep, mostPods, controllerReference, isRefusal } from "./controlled-pods.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { OwnerReference } from "../../../apimachinery/meta.ts";
import { isAlreadyExists } from "../../../apimachinery/status.ts";
import type { Client } from "../../../client/client.ts";
import type { PersistentVolumeClaim } from "../../../k8s/core/v1.ts";

export const revisionLabel = "controller-revision-hash";

interface StatefulSetPlan {
  /** Ordinals to create. */
  readonly create: readonly number[];
  readonly remove: readonly Pod[];
}

/** Plans the next step: one pod at a time, each available before the next, unless the set is parallel. */
export function planStatefulSet(
  set: StatefulSet,
  pods: readonly Pod[],
  { revision, now }: { readonly revision: string; readonly now: number },
): StatefulSetPlan {
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod), pod]));
  const { start, end } = ordinalsOf(set);
  const wanted = Array.from({ length: end - start }, (_, index) => start + index);
  const finished = pods.filter((pod) => isFinished(pod) && !isLeaving(pod));
  if (finished.length > 0) return { create: [], remove: finished };
  const isSettled = (pod: Pod | undefined): boolean =>
    pod !== undefined && !isLeaving(pod) && availableIn(pod, set.spec.minReadySeconds, now) === 0;
  const outdated = (): Pod[] => findOutdated(set, wanted, { byOrdinal, revision, isSettled }).slice(0, 1);
  const missing = wanted.filter((ordinal) => !byOrdinal.has(ordinal));
  const surplus = pods
    .filter((pod) => !isMember(set, pod) && !isLeaving(pod))
    .sort((a, b) => ordinalOf(set, b) - ordinalOf(set, a));
  if (set.spec.podManagementPolicy === "Parallel") {
    if (missing.length > 0 || surplus.length > 0)
      return { create: missing.slice(0, mostOfStep), remove: surplus.slice(0, mostOfStep) };
    return { create: [], remove: outdated() };
  }
  const unsettled = wanted.find((ordinal) => !isSettled(byOrdinal.get(ordinal)));
  if (unsettled !== undefined) return { create: byOrdinal.has(unsettled) ? [] : [unsettled], remove: [] };
  if (pods.some(isLeaving)) return { create: [], remove: [] };
  if (surplus.length > 0) return { create: [], remove: surplus.slice(0, 1) };
  return { create: [], remove: outdated() };
}

/** Computes the status of a set from its pods. */
export function statefulSetStatus(
  set: StatefulSet,
  pods: readonly Pod[],
  { revision, now }: { readonly revision: string; readonly now: number },
): { status: apps.StatefulSetStatus; changesIn?: number } {
  const living = pods.filter((pod) => !isLeaving(pod));
  const ready = living.filter(isReady).length;
  const left = living.filter(isReady).map((pod) => availableIn(pod, set.spec.minReadySeconds, now));
  const waits = left.filter((ms) => ms > 0);
  const of = (hash: string) => living.filter(({ metadata }) => metadata.labels?.[revisionLabel] === hash).length;
  const updated = of(revision);
  const isComplete = updated === (set.spec.replicas ?? 1) && ready === updated && living.length === updated;
  const currentRevision = isComplete ? revision : (set.status?.currentRevision ?? revision);
  const current = of(currentRevision);
  const status: apps.StatefulSetStatus = {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: living.length,
    ...(ready && { readyReplicas: ready }),
    availableReplicas: ready - waits.length,
    ...(current && { currentReplicas: current }),
    ...(updated && { updatedReplicas: updated }),
    currentRevision,
    updateRevision: revision,
    collisionCount: 0,
  };
  return waits.length > 0 ? { status, changesIn: Math.min(...waits) } : { status };
}

/**
 * Returns the revision of a new pod: in a rolling update, those below the partition, or those that are not updated yet,
 * keep the former one.
 */
export function revisionOf({ spec, status }: StatefulSet, ordinal: number, revision: string): string {
  const { currentRevision = revision, currentReplicas = 0 } = status ?? {};
  const { type = "RollingUpdate", rollingUpdate } = spec.updateStrategy ?? {};
  const kept = rollingUpdate ? (rollingUpdate.partition ?? 0) : currentReplicas;
  return type === "RollingUpdate" && ordinal < (spec.ordinals?.start ?? 0) + kept ? currentRevision : revision;
}

/** Reports whether a pod is one of those that the set wants. */
export function isMember(set: StatefulSet, pod: Pod): boolean {
  const { start, end } = ordinalsOf(set);
  const ordinal = ordinalOf(set, pod);
  return ordinal >= start && ordinal < end;
}

/** Returns the ordinal of a pod: 2 for `web-2` of `web`, NaN for a pod of another name. */
export function ordinalOf(set: StatefulSet, pod: Pod): number {
  const prefix = `${set.metadata.name}-`;
  const name = pod.metadata.name ?? "";
  return name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
}

/** Returns the first wanted ordinal, and the one after the last. */
function ordinalsOf({ spec }: StatefulSet): { readonly start: number; readonly end: number } {
  const start = spec.ordinals?.start ?? 0;
  return { start, end: start + Math.min(spec.replicas ?? 1, mostPods) };
}

interface Rollout {
  readonly byOrdinal: ReadonlyMap<number, Pod>;
  readonly revision: string;
  readonly isSettled: (pod: Pod) => boolean;
}

/** Returns the pods of another revision, from the last one down to the partition, if all of them are ready. */
function findOutdated(
  { spec }: StatefulSet,
  wanted: readonly number[],
  { byOrdinal, revision, isSettled }: Rollout,
): Pod[] {
  if (spec.updateStrategy?.type === "OnDelete") return [];
  const first = (spec.ordinals?.start ?? 0) + (spec.updateStrategy?.rollingUpdate?.partition ?? 0);
  const pods = wanted.filter((ordinal) => ordinal >= first).flatMap((ordinal) => byOrdinal.get(ordinal) ?? []);
  if (!pods.every(isSettled)) return [];
  return pods.filter(({ metadata }) => metadata.labels?.[revisionLabel] !== revision).toReversed();
}

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

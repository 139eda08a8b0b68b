import { type StatusDetails, isNotFound } from "../../../apimachinery/status.ts";
import { forbidden, notFound, unmetPrecondition } from "../../refusals.ts";
import { isNamespaces } from "../../admission/match-rules.ts";
import { admitMutating, admitValidating, needsAdmission } from "./admit.ts";
import { type Answer, keyOf, type Call, noteChange, strategyContext } from "../request/call.ts";
import { readDeleteOptions, type DeleteOptions } from "../request/write-options.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject, ObjectMeta } from "../../../apimachinery/meta.ts";
import { list } from "../read/get-or-list.ts";
import { readListQuery } from "../request/read-options.ts";
import { storageKey } from "../../storage/store.ts";
import { cloneJson } from "../../../apimachinery/clone.ts";
import {
  collectorFinalizers,
  foregroundFinalizer,
  orphanFinalizer,
} from "../../../apimachinery/collector-finalizers.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import type { Strategy } from "../../registry/served-resource.ts";

/** Deletes one object. */
export async function deleteOne(call: Call): Promise<Answer> {
  const options = readDeleteOptions(call);
  const { object, gone } = await deleteAdmitted(call, keyOf(call), options);
  if (!gone || call.entry.strategy.returnsDeleted) {
    await call.entry.load?.([object]);
    const code = !gone && options.orphanDependents === false ? 202 : 200;
    return { type: "object", code, body: call.entry.read(object) };
  }
  const { group, plural } = call.entry.resource;
  const details: StatusDetails = { name: call.name };
  if (group) details.group = group;
  details.kind = plural;
  if (object.metadata.uid) details.uid = object.metadata.uid;
  return {
    type: "success",
    code: 200,
    body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details },
  };
}

/** Deletes an object if policies and webhooks allow it. */
async function deleteAdmitted(call: Call, key: string, options: DeleteOptions): Promise<Deleted> {
  const stored = call.collection.get(key);
  if (!stored) throw notFound(call.entry.resource, call.name);
  checkDeletion(call, stored, options);
  if (isPending(call, stored, options)) return { object: stored, gone: false };
  await admitDeletion(call, stored, options);
  const begun = beginDeletion(call, key, options);
  if (!begun.isLast) return begun;
  // Admission also sees that an object is removed which has been marked before.
  if (begun.object !== stored) await admitDeletion(call, begun.object, options);
  return finishDeletion(call, key, begun.object);
}

type Deletion = Omit<DeleteOptions, "dryRun">;

/**
 * Runs admission for a deletion, which may be refused but not changed. An object that cannot be converted cannot be
 * deleted either.
 */
async function admitDeletion(call: Call, stored: UnstructuredObject, options: DeleteOptions): Promise<void> {
  await call.entry.load?.([stored]);
  if (!needsAdmission(call)) return;
  const { dryRun, orphansUnlessMarked: _, ...given } = options;
  const deletion = isNamespaces(call.entry.resource) ? ofOne(stored, given) : given;
  const write = { operation: "DELETE", oldObject: call.entry.read(stored), dryRun, deletion } as const;
  await admitMutating(call, write);
  await admitValidating(call, write);
}

/** Returns the options for exactly this object: a namespace that is created again must not go with the former one. */
function ofOne({ metadata: { uid } }: UnstructuredObject, options: Deletion): Deletion {
  return { ...options, preconditions: { ...(uid && { uid }), ...options.preconditions } };
}

/** The object as it is stored; `gone` is true if it has been removed. */
interface Deleted {
  readonly object: UnstructuredObject;
  readonly gone: boolean;
}

/** Deletes one object, or starts its graceful deletion. Only metadata is read, so no version has to be converted. */
export function deleteObject(call: DeletionScope, key: string, options: DeleteOptions): Deleted {
  const begun = beginDeletion(call, key, options);
  return begun.isLast ? finishDeletion(call, key, begun.object) : begun;
}

/** The first step of a deletion; `isLast` is true if the object is to be removed, as nothing holds it. */
interface Begun extends Deleted {
  readonly isLast: boolean;
}

/** Marks an object as ending, unless it can be removed at once. */
function beginDeletion(call: DeletionScope, key: string, options: DeleteOptions): Begun {
  const { collection, entry, core } = call;
  const stored = collection.get(key);
  if (!stored) throw notFound(entry.resource, key.slice(key.indexOf("/") + 1));
  checkDeletion(call, stored, options);
  if (isPending(call, stored, options)) return { object: stored, gone: false, isLast: false };
  const { object: ending, isLast } = planEnding(call, stored, options);
  if (options.dryRun) return { object: ending, gone: isLast, isLast: false };
  if (equalJson(ending, stored)) return { object: stored, gone: false, isLast };
  const object = core.store.commit(collection, key, { previous: stored, object: ending }) ?? ending;
  noteChange(call, key, stored, object);
  return { object, gone: false, isLast };
}

/** Removes an object that nothing holds any more, as it is by now. */
function finishDeletion(call: DeletionScope, key: string, begun: UnstructuredObject): Deleted {
  const { collection, core } = call;
  const last = collection.get(key);
  if (!last || last.metadata.uid !== begun.metadata.uid) return { object: begun, gone: true };
  const object = core.store.remove(collection, key, last) ?? last;
  noteChange(call, key, last, undefined);
  return { object, gone: true };
}

/** Refuses a deletion of an object that must stay, and one that is meant for another object or version. */
function checkDeletion(call: DeletionScope, live: UnstructuredObject, options: DeleteOptions): void {
  checkPreconditions(call, live, options);
  const { resource } = call.entry;
  const { name = "" } = live.metadata;
  const why = kept.get(`${resource.plural}/${name}`);
  if (why !== undefined && !resource.custom) throw forbidden(resource, name, why);
}

/** Objects that admission plugins keep. */
const kept = new Map<string, string>([
  ...["default", "kube-public", "kube-system"].map(
    (name) => [`namespaces/${name}`, "this namespace may not be deleted"] as const,
  ),
  ...["system-node-critical", "system-cluster-critical"].map(
    (name) => [`priorityclasses/${name}`, "this is a system priority class and cannot be deleted"] as const,
  ),
]);

/** Refuses a deletion that is meant for another object or version. */
export function checkPreconditions(
  { entry: { resource, strategy } }: DeletionScope,
  { metadata: { name = "", uid, resourceVersion } }: UnstructuredObject,
  { preconditions = {} }: DeleteOptions,
): void {
  // The details name the resource, or the kind.
  const at = strategy.beginDelete ? resource : { group: resource.group, plural: resource.kind };
  for (const [what, wanted, found] of [
    ["UID", preconditions.uid, uid],
    ["ResourceVersion", preconditions.resourceVersion, resourceVersion],
  ] as const)
    if (wanted !== undefined && wanted !== found) throw unmetPrecondition(at, name, [what, wanted, found]);
}

/** Lists objects of a collection and deletes each like a DELETE of its own. Returns the list. */
export async function deleteCollection(call: Call): Promise<Answer> {
  const query = readListQuery(call);
  const options = readDeleteOptions(call);
  const listed = await list(call, query);
  for (const { metadata } of listed.body.items) {
    const key = storageKey(metadata.namespace, metadata.name ?? "");
    await call.turns.rest();
    try {
      await deleteAdmitted(call, key, options);
    } catch (error) {
      if (!isNotFound(error)) throw error; // deleted by another request
    }
  }
  return listed;
}

/** The parts of a call that a deletion needs; the server's own controllers delete, too. */
type DeletionScope = Pick<Call, "core" | "entry" | "collection" | "changes">;

/** What a deletion does to an object. */
interface Ending {
  /** The object with the marks of its end; the stored one if it needs none. */
  readonly object: UnstructuredObject;
  /** True if nothing holds the object then. */
  readonly isLast: boolean;
}

/** Reports whether an object ends already, and another deletion, which admission does not see then, changes nothing. */
function isPending({ entry: { strategy } }: DeletionScope, live: UnstructuredObject, options: DeleteOptions): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = live.metadata;
  if (!deletionTimestamp) return false;
  if (strategy.isHeldBack) return strategy.isHeldBack(live);
  if (!strategy.gracePeriod || !deletionGracePeriodSeconds) return false;
  return nonNegative(options.gracePeriodSeconds ?? Infinity) >= nonNegative(deletionGracePeriodSeconds);
}

/** Plans what a deletion does to an object that is not pending. */
function planEnding(scope: DeletionScope, live: UnstructuredObject, options: DeleteOptions): Ending {
  const { strategy } = scope.entry;
  const now = scope.core.clock.now();
  const isNew = live.metadata.deletionTimestamp === undefined;
  if (isNew && strategy.beginDelete) {
    const object = cloneJson(live);
    object.metadata.deletionTimestamp = timestamp(now);
    strategy.beginDelete(object, strategyContext(scope.core));
    return { object, isLast: false };
  }
  const finalizers = markedFinalizers(live.metadata.finalizers ?? [], options);
  const isGraceful = strategy.gracePeriod && (isNew || live.metadata.deletionGracePeriodSeconds);
  if (!isGraceful && finalizers.length === 0) return { object: live, isLast: true };
  const object = { ...live, metadata: { ...live.metadata } };
  if (isNew && object.metadata.generation) object.metadata.generation++;
  if (finalizers.length > 0) object.metadata.finalizers = [...finalizers];
  else delete object.metadata.finalizers;
  if (isGraceful) setGrace(strategy, object, { options, now });
  else endNow(object.metadata, now);
  return { object, isLast: finalizers.length === 0 && object.metadata.deletionGracePeriodSeconds === 0 };
}

function setGrace(
  strategy: Strategy,
  object: UnstructuredObject,
  { options: { gracePeriodSeconds }, now }: { readonly options: DeleteOptions; readonly now: number },
): void {
  const { metadata } = object;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  const isNew = deletionTimestamp === undefined;
  const begun = isNew ? now : Date.parse(deletionTimestamp) - nonNegative(deletionGracePeriodSeconds) * 1000;
  const grace = nonNegative(isNew ? strategy.gracePeriod!(object, gracePeriodSeconds) : gracePeriodSeconds!);
  metadata.deletionTimestamp = timestamp(begun + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
}

/** Ends the grace period of an object that finalizers hold. */
function endNow(metadata: ObjectMeta, now: number): void {
  const { deletionTimestamp } = metadata;
  if (deletionTimestamp === undefined || Date.parse(deletionTimestamp) > now)
    metadata.deletionTimestamp = timestamp(now);
  metadata.deletionGracePeriodSeconds = 0;
}

/** Returns a grace period; a negative one counts as a second. */
function nonNegative(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

type MarkWish = Omit<DeleteOptions, "dryRun">;

/** Returns the finalizers with those of the garbage collector as the propagation policy wants them, at the end if new. */
function markedFinalizers(finalizers: readonly string[], options: MarkWish): readonly string[] {
  const marks = finalizers.filter((name) => collectorFinalizers.has(name));
  const wanted = wantedMark(marks, options);
  const isSame = wanted === undefined ? marks.length === 0 : marks.length > 0 && marks.every((name) => name === wanted);
  if (isSame) return finalizers;
  const others = finalizers.filter((name) => !collectorFinalizers.has(name));
  return wanted === undefined ? others : [...others, wanted];
}

function wantedMark(
  marks: readonly string[],
  { propagationPolicy, orphanDependents, orphansUnlessMarked }: MarkWish,
): string | undefined {
  if (orphanDependents !== undefined) return orphanDependents ? orphanFinalizer : undefined;
  if (propagationPolicy === undefined) return marks[0] ?? (orphansUnlessMarked ? orphanFinalizer : undefined);
  if (propagationPolicy === "Background") return undefined;
  return propagationPolicy === "Orphan" ? orphanFinalizer : foregroundFinalizer;
}

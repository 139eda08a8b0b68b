import { formatTime } from "../../../apimachinery/time.ts";
import { cloneJson } from "../../../apimachinery/clone.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { conflict, notFound } from "../../refusals.ts";
import type { Call } from "../call/call.ts";
import type { DeleteOptions } from "../options/delete-options.ts";
import { isFinished } from "../write/deletion.ts";
import { strategyContext } from "../write/strategy-context.ts";

/** The object as it is stored; `gone` tells a removal from the begin of one. */
export interface Deleted {
  readonly object: UnstructuredObject;
  readonly gone: boolean;
}

/** What a deletion needs of a call; the server's own controllers delete too. */
export type DeletionScope = Pick<Call, "core" | "entry" | "collection">;

/** Deletes one object, or starts its graceful end. Only metadata counts, so that no version has to be converted. */
export function deleteObject(call: DeletionScope, key: string, options: DeleteOptions): Deleted {
  const { collection, entry, core } = call;
  const stored = collection.get(key);
  if (!stored) throw notFound(entry.resource, key.slice(key.indexOf("/") + 1));
  checkPreconditions(call, stored, options);
  entry.strategy.checkDelete?.(stored);
  const ending = terminating(call, stored, options);
  if (isFinished(entry.strategy, ending)) {
    if (options.dryRun) return { object: stored, gone: true };
    const removed = core.store.remove(collection, key, stored) ?? stored;
    return { object: entry.strategy.gracePeriod ? ended(ending, removed) : removed, gone: true };
  }
  if (options.dryRun || equalJson(ending, stored)) return { object: ending, gone: false };
  return { object: core.store.commit(collection, key, { previous: stored, object: ending }) ?? ending, gone: false };
}

/** What can end gracefully answers how it ended, even when it took no time. */
function ended(ending: UnstructuredObject, { metadata }: UnstructuredObject): UnstructuredObject {
  return { ...ending, metadata: { ...ending.metadata, resourceVersion: metadata.resourceVersion ?? "" } };
}

function checkPreconditions(call: DeletionScope, live: UnstructuredObject, { preconditions }: DeleteOptions): void {
  const { uid, resourceVersion } = live.metadata;
  const target = { group: call.entry.resource.group, plural: call.entry.resource.kind };
  const refuse = (what: string, wanted: string, found: string | undefined): never => {
    throw conflict(
      target,
      live.metadata.name ?? "",
      `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found}). ` +
        `The object might have been ${what === "UID" ? "deleted and then recreated" : "modified"}`,
    );
  };
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) refuse("UID", preconditions.uid, uid);
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion)
    refuse("ResourceVersion", preconditions.resourceVersion, resourceVersion);
}

function terminating(call: DeletionScope, live: UnstructuredObject, options: DeleteOptions): UnstructuredObject {
  const ending = cloneJson(live);
  const { metadata } = ending;
  setFinalizers(ending, collectorFinalizers(metadata.finalizers ?? [], options));
  const { strategy } = call.entry;
  const grace = strategy.gracePeriod?.(live, options.gracePeriodSeconds) ?? 0;
  if (!metadata.deletionTimestamp) {
    metadata.deletionTimestamp = formatTime(new Date(call.core.clock.now() + grace * 1000));
    metadata.deletionGracePeriodSeconds = grace;
    if (metadata.generation) metadata.generation++;
    strategy.prepareDelete?.(ending, strategyContext(call.core));
  } else if (grace < (metadata.deletionGracePeriodSeconds ?? 0)) {
    metadata.deletionGracePeriodSeconds = grace;
  }
  return ending;
}

/** The garbage collector's finalizers follow the propagation policy of the last DELETE. */
function collectorFinalizers(finalizers: readonly string[], options: DeleteOptions): readonly string[] {
  const { propagationPolicy, orphanDependents } = options;
  const isMarked = finalizers.includes("orphan") || finalizers.includes("foregroundDeletion");
  if (options.orphansUnlessMarked && !isMarked) return [...finalizers, "orphan"];
  const policy =
    propagationPolicy ?? (orphanDependents === true ? "Orphan" : orphanDependents === false ? "Background" : undefined);
  if (!policy) return finalizers;
  const others = finalizers.filter((name) => name !== "orphan" && name !== "foregroundDeletion");
  if (policy === "Background") return others;
  return [...others, policy === "Orphan" ? "orphan" : "foregroundDeletion"];
}

function setFinalizers({ metadata }: UnstructuredObject, finalizers: readonly string[]): void {
  if (finalizers.length) metadata.finalizers = [...finalizers];
  else delete metadata.finalizers;
}

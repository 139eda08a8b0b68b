import { type StatusDetails, isNotFound } from "../../../apimachinery/status.ts";
import { decodeBody } from "../../codec/decode-body.ts";
import { decodeError } from "../../registry/decode-error.ts";
import { badRequest, notRegistered, conflict, notFound } from "../../refusals.ts";
import { isNamespaces } from "../../admission/match-rules.ts";
import { admitMutating, admitValidating, needsAdmission } from "./admit.ts";
import { type Answer, keyOf, type Call, noteChange, strategyContext } from "../request/call.ts";
import { readDeleteOptions, type DeleteOptions } from "../request/write-options.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { cloneJson } from "../../../apimachinery/clone.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { isFinished } from "./update-object.ts";
import { list } from "../read/get-or-list.ts";
import { storageKey } from "../../storage/store.ts";

/** Deletes one object. */
export async function deleteOne(call: Call): Promise<Answer> {
  const options = withDefault(call, readDeleteOptions(call, readOptionsBody(call)));
  await admitDeletion(call, keyOf(call), options);
  const { object, gone } = deleteObject(call, keyOf(call), options);
  if (!gone || call.entry.strategy.returnsDeleted) {
    await call.entry.load?.([object]);
    return { type: "object", code: 200, body: call.entry.read(object) };
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

/** Sets the default propagation policy: some kinds orphan their dependents. */
function withDefault({ entry, warnings }: Call, options: DeleteOptions): DeleteOptions {
  const warning = entry.strategy.orphansByDefault;
  if (warning === undefined || options.propagationPolicy || options.orphanDependents !== undefined) return options;
  if (warning) warnings.push(warning);
  return { ...options, orphansUnlessMarked: true };
}

type Deletion = Omit<DeleteOptions, "dryRun">;

/**
 * Runs admission for a deletion, which may be refused but not changed. An object that cannot be converted cannot be
 * deleted either.
 */
async function admitDeletion(call: Call, key: string, options: DeleteOptions): Promise<void> {
  const stored = call.collection.get(key);
  if (!stored) return;
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

function readOptionsBody(call: Call): Record<string, unknown> | undefined {
  const { headers, body } = call.request;
  if (body.length === 0) return undefined;
  const { value } = decodeBody(headers["content-type"], body, { kind: "DeleteOptions", findDuplicates: false });
  const { kind, apiVersion } = value as { kind?: string | null; apiVersion?: string };
  if (kind && kind !== "DeleteOptions") throw badRequest(notRegistered(kind, apiVersion));
  const error = decodeError("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions", value);
  if (error !== undefined) throw badRequest(error);
  // A null option is absent.
  return Object.fromEntries(Object.entries(value).filter(([, option]) => option !== null));
}

/** The object as it is stored; `gone` is true if it has been removed. */
export interface Deleted {
  readonly object: UnstructuredObject;
  readonly gone: boolean;
}

/** The parts of a call that a deletion needs; the server's own controllers delete, too. */
export type DeletionScope = Pick<Call, "core" | "entry" | "collection" | "changes">;

/** Deletes one object, or starts its graceful deletion. Only metadata is read, so no version has to be converted. */
export function deleteObject(call: DeletionScope, key: string, options: DeleteOptions): Deleted {
  const { collection, entry, core } = call;
  const stored = collection.get(key);
  if (!stored) throw notFound(entry.resource, key.slice(key.indexOf("/") + 1));
  checkPreconditions(call, stored, options);
  entry.strategy.checkDelete?.(stored);
  const ending = startTermination(call, stored, options);
  if (isFinished(entry.strategy, ending)) {
    if (options.dryRun) return { object: stored, gone: true };
    const removed = core.store.remove(collection, key, stored) ?? stored;
    noteChange(call, key, stored, undefined);
    return { object: entry.strategy.gracePeriod ? terminatedState(ending, removed) : removed, gone: true };
  }
  if (options.dryRun || equalJson(ending, stored)) return { object: ending, gone: false };
  const committed = core.store.commit(collection, key, { previous: stored, object: ending }) ?? ending;
  noteChange(call, key, stored, committed);
  return { object: committed, gone: false };
}

/** Returns the terminating state of an object with a grace period, even if it was removed at once. */
function terminatedState(ending: UnstructuredObject, { metadata }: UnstructuredObject): UnstructuredObject {
  return { ...ending, metadata: { ...ending.metadata, resourceVersion: metadata.resourceVersion ?? "" } };
}

/** Refuses a deletion that is meant for another object or version. */
export function checkPreconditions(
  call: DeletionScope,
  live: UnstructuredObject,
  { preconditions }: DeleteOptions,
): void {
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

function startTermination(call: DeletionScope, live: UnstructuredObject, options: DeleteOptions): UnstructuredObject {
  const ending = cloneJson(live);
  const { metadata } = ending;
  setFinalizers(ending, collectorFinalizers(metadata.finalizers ?? [], options));
  const { strategy } = call.entry;
  const grace = strategy.gracePeriod?.(live, options.gracePeriodSeconds) ?? 0;
  if (!metadata.deletionTimestamp) {
    metadata.deletionTimestamp = timestamp(call.core.clock.now() + grace * 1000);
    metadata.deletionGracePeriodSeconds = grace;
    if (metadata.generation) metadata.generation++;
    strategy.prepareDelete?.(ending, strategyContext(call.core));
  } else if (grace < (metadata.deletionGracePeriodSeconds ?? 0)) {
    metadata.deletionGracePeriodSeconds = grace;
  }
  return ending;
}

/** Sets the garbage collector's finalizers by the propagation policy of the last DELETE. */
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

/** Lists objects of a collection and deletes each like a DELETE of its own. Returns the list. */
export async function deleteCollection(call: Call): Promise<Answer> {
  const options = withDefault(call, readDeleteOptions(call, readOptionsBody(call)));
  const listed = await list(call);
  for (const { metadata } of listed.body.items) {
    const key = storageKey(metadata.namespace, metadata.name ?? "");
    if (call.pace.isTired) await call.pace.rest();
    try {
      await admitDeletion(call, key, options);
      deleteObject(call, key, options);
    } catch (error) {
      if (!isNotFound(error)) throw error; // deleted by another request
    }
  }
  return listed;
}

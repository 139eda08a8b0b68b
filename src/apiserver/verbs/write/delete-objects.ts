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
import type { ObjectMeta, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { isFinished } from "./update-object.ts";
import { list } from "../read/get-or-list.ts";
import { storageKey } from "../../storage/store.ts";

/** Deletes one object. */
export async function deleteOne(call: Call): Promise<Answer> {
  const options = withDefault(call, readDeleteOptions(call, readOptionsBody(call)));
  const { object, gone } = await deleteAdmitted(call, keyOf(call), options);
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

/** Deletes an object if policies and webhooks allow it. */
async function deleteAdmitted(call: Call, key: string, options: DeleteOptions): Promise<Deleted> {
  const stored = call.collection.get(key);
  if (!stored) throw notFound(call.entry.resource, call.name);
  checkPreconditions(call, stored, options);
  if (isPending(call, stored, options)) return { object: stored, gone: false };
  await admitDeletion(call, stored, options);
  const begun = beginDeletion(call, key, options);
  if (!begun.isLast) return begun;
  // Of an object that ends gracefully, its end is asked about as well.
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
  const stored = call.collection.get(key);
  if (stored) checkPreconditions(call, stored, options);
  if (stored && isPending(call, stored, options)) return { object: stored, gone: false };
  const begun = beginDeletion(call, key, options);
  return begun.isLast ? finishDeletion(call, key, begun.object) : begun;
}

/** The first step of a deletion; `isLast` is true if the object is to be removed, as nothing holds it. */
interface Begun extends Deleted {
  readonly isLast: boolean;
}

/** Marks an object as ending, unless that and its removal are one. */
function beginDeletion(call: DeletionScope, key: string, options: DeleteOptions): Begun {
  const { collection, entry, core } = call;
  const stored = collection.get(key);
  if (!stored) throw notFound(entry.resource, key.slice(key.indexOf("/") + 1));
  checkPreconditions(call, stored, options);
  entry.strategy.checkDelete?.(stored);
  const ending = startTermination(call, stored, options);
  const isFree = isFinished(entry.strategy, ending);
  const endsAtOnce = isFree && !endsGracefully(call, stored);
  if (options.dryRun) return { object: endsAtOnce ? stored : ending, gone: isFree, isLast: false };
  if (endsAtOnce) return { object: stored, gone: false, isLast: true };
  if (equalJson(ending, stored)) return { object: ending, gone: false, isLast: false };
  const object = core.store.commit(collection, key, { previous: stored, object: ending }) ?? ending;
  noteChange(call, key, stored, object);
  return { object, gone: false, isLast: isFree };
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

/** Reports whether clients see an object end before it goes. One whose grace is over only goes. */
function endsGracefully({ entry }: DeletionScope, { metadata }: UnstructuredObject): boolean {
  return entry.strategy.gracePeriod !== undefined && metadata.deletionGracePeriodSeconds !== 0;
}

/** Reports whether an object ends already, and no sooner by another deletion. Nobody is asked about that one. */
function isPending(call: DeletionScope, stored: UnstructuredObject, { gracePeriodSeconds }: DeleteOptions): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = stored.metadata;
  if (!deletionTimestamp) return false;
  if (isNamespaces(call.entry.resource)) return call.entry.strategy.isHeldBack?.(stored) === true;
  return endsGracefully(call, stored) && (gracePeriodSeconds ?? Infinity) >= deletionGracePeriodSeconds;
}

/** Refuses a deletion that is meant for another object or version. */
export function checkPreconditions(
  call: DeletionScope,
  live: UnstructuredObject,
  { preconditions }: DeleteOptions,
): void {
  const { uid, resourceVersion } = live.metadata;
  if (preconditions?.uid !== undefined && preconditions.uid !== uid)
    throw unmetPrecondition(call, live, ["UID", preconditions.uid, uid]);
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion)
    throw unmetPrecondition(call, live, ["ResourceVersion", preconditions.resourceVersion, resourceVersion]);
}

function unmetPrecondition(
  { entry: { resource } }: DeletionScope,
  { metadata: { name = "" } }: UnstructuredObject,
  [what, wanted, found]: readonly ["UID" | "ResourceVersion", string, string | undefined],
): Error {
  // Namespaces have a deletion of their own.
  if (isNamespaces(resource)) {
    const why = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`;
    return conflict(resource, name, why);
  }
  const why =
    `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found}). ` +
    `The object might have been ${what === "UID" ? "deleted and then recreated" : "modified"}`;
  return conflict({ group: resource.group, plural: resource.kind }, name, why);
}

function startTermination(call: DeletionScope, live: UnstructuredObject, options: DeleteOptions): UnstructuredObject {
  const ending = cloneJson(live);
  const { metadata } = ending;
  setFinalizers(ending, collectorFinalizers(metadata.finalizers ?? [], options));
  const { strategy } = call.entry;
  if (metadata.deletionTimestamp) {
    shortenGrace(call, metadata, options);
    return ending;
  }
  const grace = strategy.gracePeriod?.(live, options.gracePeriodSeconds) ?? 0;
  metadata.deletionTimestamp = timestamp(call.core.clock.now() + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
  if (metadata.generation) metadata.generation++;
  strategy.prepareDelete?.(ending, strategyContext(call.core));
  return ending;
}

/** Moves the end of an object that ends gracefully forward, if it gets less time than before. */
function shortenGrace({ entry }: DeletionScope, metadata: ObjectMeta, { gracePeriodSeconds }: DeleteOptions): void {
  const { deletionTimestamp = "", deletionGracePeriodSeconds: before = 0 } = metadata;
  if (!entry.strategy.gracePeriod || gracePeriodSeconds === undefined || gracePeriodSeconds >= before) return;
  const grace = gracePeriodSeconds < 0 ? 1 : gracePeriodSeconds;
  metadata.deletionTimestamp = timestamp(Date.parse(deletionTimestamp) + (grace - before) * 1000);
  metadata.deletionGracePeriodSeconds = grace;
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
      await deleteAdmitted(call, key, options);
    } catch (error) {
      if (!isNotFound(error)) throw error; // deleted by another request
    }
  }
  return listed;
}

import { type StatusDetails, isNotFound } from "../../../apimachinery/status.ts";
import { conflict, forbidden, notFound } from "../../refusals.ts";
import { isNamespaces } from "../../admission/match-rules.ts";
import { admitMutating, admitValidating, needsAdmission } from "./admit.ts";
import { type Answer, keyOf, type Call, noteChange } from "../request/call.ts";
import { readDeleteOptions, type DeleteOptions } from "../request/delete-options.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type DeletionScope, isPending, planEnding } from "./plan-ending.ts";
import { list } from "../read/get-or-list.ts";
import { readListQuery } from "../request/read-options.ts";
import { storageKey } from "../../storage/store.ts";

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
export interface Deleted {
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
  { entry: { resource, strategy } }: DeletionScope,
  { metadata: { name = "" } }: UnstructuredObject,
  [what, wanted, found]: readonly ["UID" | "ResourceVersion", string, string | undefined],
): Error {
  const why = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`;
  // The details name the resource, or the kind.
  return conflict(strategy.beginDelete ? resource : { group: resource.group, plural: resource.kind }, name, why);
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

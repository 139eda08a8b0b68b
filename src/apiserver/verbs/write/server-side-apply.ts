import { cloneJson } from "../../../apimachinery/clone.ts";
import { apiVersionOf } from "../../../apimachinery/kind.ts";
import type { ManagedFieldsEntry, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { decodeApplied } from "../../codec/decode-body.ts";
import { badRequest, bareError, conflict, notFound } from "../../refusals.ts";
import { applyServerSide } from "../../ssa/apply-server-side.ts";
import { type Answer, keyOf, type Call } from "../request/call.ts";
import { checkCounts, typedErrorOf } from "../object/decode-object.ts";
import { checkName, tidyMeta } from "../object/prepare-object.ts";
import { createObject } from "./create.ts";
import { fieldValidation, reportFields, readWriteOptions } from "../request/write-options.ts";
import { emptyOf, findVersion, timeOfEntry } from "../object/managed-fields.ts";
import { partOf, takesWholeMeta } from "../object/part.ts";
import { writePart } from "./update.ts";
import { checkVersionText, updateObject } from "./update-object.ts";
import { isTrue } from "../request/selection.ts";

/** Applies server-side: creates a missing object, or merges into the live one with an owner for each field. */
export async function serverSideApply(call: Call): Promise<Answer> {
  const { dryRun } = readWriteOptions(call, true);
  if (!mayCreate(call) && !call.collection.get(keyOf(call))) throw notFound(call.entry.resource, call.name);
  const { applied, duplicates } = readApplied(call);
  await call.turns.rest();
  const manager = call.query.get("fieldManager") ?? "";
  if (!call.collection.get(keyOf(call))) return createApplied(call, { applied, duplicates, manager, dryRun });
  const part = partOf(call);
  const object = await updateObject(call, {
    apply: (live) => applyTo(call, live, { applied, duplicates, manager, dryRun }),
    dryRun,
    tracked: true,
  });
  return { type: "object", code: 200, body: part.show(object) };
}

/** Reports whether an apply creates a missing object. By a subresource, only updates that may create do. */
function mayCreate({ subresource, entry }: Call): boolean {
  return subresource === undefined || (entry.strategy.createsOnUpdate === true && subresource !== "scale");
}

async function applyTo(call: Call, live: UnstructuredObject, applying: Applying): Promise<UnstructuredObject> {
  const part = partOf(call);
  const shown = part.show(live);
  const merged = await merge(call, withManagers(shown, part.managersOf(live)), applying);
  await call.turns.rest();
  const sent = withSentVersion(merged, applying.applied);
  return writePart(call, { sent, live, dryRun: applying.dryRun, tracked: true });
}

interface Applying {
  readonly applied: UnstructuredObject;
  /** Findings about keys that are there twice. */
  readonly duplicates: readonly string[];
  readonly manager: string;
  readonly dryRun: boolean;
}

async function createApplied(call: Call, applying: Applying): Promise<Answer> {
  const { applied, dryRun } = applying;
  const { resource } = call.entry;
  const { uid, resourceVersion } = applied.metadata;
  const { namespace, name } = call;
  const identity = {
    kind: resource.kind,
    apiVersion: apiVersionOf(resource),
    metadata: { name, ...(namespace && { namespace }) },
  };
  const object = await merge(call, identity, { ...applying, applied: withoutVersion(applied) });
  if (uid) {
    const why = `the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(resource, call.name, `uid mismatch: ${why}`);
  }
  // A new object must have its name in the body; an existing one need not.
  checkName(call, applied);
  checkVersionText(resourceVersion);
  const created = cloneJson(object);
  tidyMeta(created.metadata);
  if (dryRun && resourceVersion) created.metadata.resourceVersion = resourceVersion;
  return { type: "object", code: 201, body: await createObject(call, created, { dryRun, tracked: true }) };
}

async function merge(call: Call, live: UnstructuredObject, applying: Applying): Promise<UnstructuredObject> {
  const { applied, duplicates, manager } = applying;
  const { query, subresource } = call;
  const part = partOf(call);
  const merged = await applyServerSide({
    schema: part.schema(),
    findVersion: (apiVersion) => findVersion(call, apiVersion),
    live,
    applied,
    empty: emptyOf(call),
    manager,
    apiVersion: part.apiVersion,
    subresource,
    force: isTrue(query.get("force")),
    now: timeOfEntry(call),
    ignored: ignoredFields(call),
    rest: () => call.turns.rest(),
  });
  const error = typedErrorOf(call, merged);
  if (error !== undefined) throw bareError(`failed to convert the object to ${part.kind}: ${error}`);
  reportFields(call, applied, duplicates, badRequest);
  return merged;
}

/** Returns a copy of the object with other managers. */
function withManagers(object: UnstructuredObject, managedFields: ManagedFieldsEntry[] | undefined): UnstructuredObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: managedFields ? { ...metadata, managedFields } : metadata };
}

const notOfStatus = [
  ["spec"],
  ...["labels", "annotations", "finalizers", "ownerReferences", "deletionTimestamp", "deletionGracePeriodSeconds"].map(
    (name) => ["metadata", name],
  ),
];

/** Returns the fields that this path does not write, which are not owned either. */
function ignoredFields({ entry, subresource }: Call): readonly (readonly string[])[] {
  if (subresource === "status") return takesWholeMeta(entry) ? [["spec"]] : notOfStatus;
  return entry.resource.subresources.some(({ name }) => name === "status") ? [["status"]] : [];
}

/** Removes the version: a new object has no other one. */
function withoutVersion(applied: UnstructuredObject): UnstructuredObject {
  // A value of a wrong type is refused later.
  if (typeof applied.metadata !== "object" || Array.isArray(applied.metadata)) return applied;
  const { resourceVersion, ...metadata } = applied.metadata;
  return typeof resourceVersion === "string" ? { ...applied, metadata } : applied;
}

/** Keeps the version only if the client sent it, as a precondition. */
function withSentVersion(
  merged: UnstructuredObject,
  { metadata: { resourceVersion } }: UnstructuredObject,
): UnstructuredObject {
  const sent = cloneJson(merged);
  const { resourceVersion: _, ...metadata } = sent.metadata;
  tidyMeta(metadata);
  return { ...sent, metadata: { ...metadata, ...(resourceVersion !== undefined && { resourceVersion }) } };
}

function readApplied(call: Call): Pick<Applying, "applied" | "duplicates"> {
  const { kind, apiVersion } = partOf(call);
  const findDuplicates = fieldValidation(call) !== "Ignore";
  const { value, duplicates } = decodeApplied(call.request.body, findDuplicates);
  const object = value as UnstructuredObject;
  if (object.kind !== kind || object.apiVersion !== apiVersion)
    throw badRequest(`invalid object type: must be ${kind} in ${apiVersion}`);
  checkCounts(call, object);
  object.metadata ??= {};
  return { applied: object, duplicates };
}

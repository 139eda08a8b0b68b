import { timestamp } from "../../../apimachinery/time.ts";
import type { ObjectMeta, UnstructuredObject, OwnerReference } from "../../../apimachinery/meta.ts";
import { badRequest, tooLarge } from "../../refusals.ts";
import type { Call } from "../request/call.ts";
import { applyDefaults, mostDefaultBytes } from "../../../apimachinery/schema/apply-defaults.ts";
import { objectMetaSchema } from "../../../apimachinery/builtin/object-meta-schema.ts";
import { apiVersionOf } from "../../../apimachinery/kind.ts";
import { messageNameOf } from "../../codec/protobuf/message-fields.ts";
import { tidyMessage } from "../../codec/protobuf/tidy-message.ts";

const suffixLetters = "bcdfghjklmnpqrstvwxz2456789";
const longestBase = 58;

/** Sets the server's own metadata of a new object. */
export function fillNewMeta(call: Call, object: UnstructuredObject): void {
  const { metadata } = object;
  delete metadata.selfLink;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  if (!metadata.name && metadata.generateName) metadata.name = generateName(metadata.generateName, call.core.random);
  metadata.uid = call.core.uid();
  metadata.creationTimestamp = timestamp(call.core.clock.now());
  if (call.entry.strategy.generationOf) metadata.generation = 1;
}

/** Returns the version that an object names: 0 for any version, also if it names none, and NaN for an invalid one. */
export function versionOf({ metadata }: UnstructuredObject): number {
  return Number(metadata.resourceVersion ?? 0);
}

/** Sets the namespace of the URL. Refuses another one in the body. */
export function settleNamespace(call: Call, metadata: ObjectMeta): void {
  if (!call.entry.resource.namespaced) {
    delete metadata.namespace;
    return;
  }
  if (metadata.namespace && metadata.namespace !== call.namespace)
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  metadata.namespace = call.namespace ?? "";
}

/** Takes the server's fields from the live object, whatever the client sent. */
export function carryMeta(candidate: ObjectMeta, live: ObjectMeta): void {
  if (live.uid !== undefined) candidate.uid ??= live.uid;
  for (const field of ["creationTimestamp", "generation", "selfLink"] as const) keepField(candidate, live, field);
}

/** Keeps the end of a live object that ends; only its grace period can be sent. */
export function carryEnd(candidate: ObjectMeta, live: ObjectMeta): void {
  if (live.deletionTimestamp !== undefined) candidate.deletionTimestamp = live.deletionTimestamp;
  if (live.deletionGracePeriodSeconds !== undefined)
    candidate.deletionGracePeriodSeconds ??= live.deletionGracePeriodSeconds;
}

type Kept = Partial<Record<"creationTimestamp" | "generation" | "selfLink", unknown>>;

function keepField(candidate: Kept, live: Kept, field: keyof Kept): void {
  if (live[field] === undefined) delete candidate[field];
  else candidate[field] = live[field];
}

/**
 * Normalizes metadata like a Go decoder: absent instead of empty, and text instead of null. An empty list of managers
 * resets them, as one empty entry does, except in a custom object, which is not decoded into a type.
 */
export function tidyMeta(metadata: ObjectMeta, isCustom = true): void {
  if (!isCustom && metadata.managedFields?.length === 0) metadata.managedFields = [{}];
  for (const field of ["labels", "annotations"] as const) {
    const texts: Record<string, string | null> | null | undefined = metadata[field];
    for (const [key, value] of Object.entries(texts ?? {})) if (value === null) texts![key] = "";
  }
  const { finalizers, ownerReferences } = metadata;
  if (finalizers?.includes(null as never)) metadata.finalizers = finalizers.map((name) => name ?? "");
  if (ownerReferences?.includes(null as never))
    metadata.ownerReferences = ownerReferences.map((owner) => owner ?? { apiVersion: "", kind: "", name: "", uid: "" });
  for (const field in metadata) {
    const name = field as keyof ObjectMeta;
    // Unknown fields stay for the check that reports them.
    if (metaFields.has(name) && isEmpty(metadata[name])) delete metadata[name];
  }
}

const metaFields: ReadonlySet<string> = new Set(Object.keys(objectMetaSchema.properties!));

function isEmpty(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === null || value === "";
  for (const _ in value) return false;
  return true;
}

function generateName(base: string, random: () => number): string {
  let name = base.slice(0, longestBase);
  for (let i = 0; i < 5; i++) name += suffixLetters[Math.floor(random() * suffixLetters.length)];
  return name;
}

/**
 * Sets the defaults of the schema, then those of the kind. Built-in kinds are normalized like Go structs before that.
 * Nulls that the schema of a custom kind does not allow are dropped, unless they are kept for the validation.
 */
export function defaultObject(call: Call, object: UnstructuredObject, keepNulls = false): void {
  const { resource, strategy } = call.entry;
  const schema = resource.schema();
  if (!resource.custom) tidyMessage(messageNameOf(apiVersionOf(resource), resource.kind), object);
  if (schema && !applyDefaults(schema, object, keepNulls || !resource.custom))
    throw tooLarge(
      `The defaults of the schema of ${resource.kind} have more than ${mostDefaultBytes} bytes for this object`,
    );
  strategy.applyDefaults?.(object);
}

/** Refuses an object whose name or namespace differs from the URL. */
export function checkName(call: Call, { metadata: { name, namespace } }: UnstructuredObject): void {
  if (namespace && namespace !== call.namespace && call.entry.resource.namespaced)
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  if (!name)
    throw badRequest(`the name of the object (${call.name} based on URL) was undeterminable: name must be provided`);
  if (name !== call.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.name})`);
}

/** Removes repeated owner references. */
export function dropRepeatedOwners({ metadata }: UnstructuredObject): void {
  const { ownerReferences } = metadata;
  if (ownerReferences === undefined || ownerReferences.length < 2) return;
  const kept = new Map<string, OwnerReference>();
  for (const owner of ownerReferences) {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owner;
    const id = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (!kept.has(id)) kept.set(id, owner);
  }
  if (kept.size < ownerReferences.length) metadata.ownerReferences = [...kept.values()];
}

/** Fields that the server sets after the mutating webhooks, unless the client sent them. */
const laterFields = [
  "uid",
  "creationTimestamp",
  "generation",
  "resourceVersion",
  "selfLink",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;
export type LaterFields = readonly (typeof laterFields)[number][];

/** The fields of a new object that no mutating webhook sees. */
export const laterOnCreate: LaterFields = ["uid", "creationTimestamp", "generation"];

/** Returns the fields that a client did not send with a PUT. A patched object has those of the stored one. */
export function laterOnPut({ metadata }: UnstructuredObject): LaterFields {
  return laterFields.filter((field) => metadata[field] === undefined);
}

/** Returns an object without these fields. */
export function withoutLater(object: UnstructuredObject, fields: LaterFields): UnstructuredObject {
  const metadata = { ...object.metadata };
  for (const field of fields) delete metadata[field];
  return { ...object, metadata };
}

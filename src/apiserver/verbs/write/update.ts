import { cloneJson } from "../../../apimachinery/clone.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { badRequest, unmetPrecondition } from "../../refusals.ts";
import { type Answer, keyOf, type Call } from "../request/call.ts";
import { checkName, dropRepeatedOwners, settleNamespace } from "../object/prepare-object.ts";
import { createObject } from "./create.ts";
import { partOf, ofPartKind } from "../object/part.ts";
import { readObject } from "../object/decode-object.ts";
import { checkVersionText, requireUid, requireVersion, updateObject } from "./update-object.ts";
import { readWriteOptions } from "../request/write-options.ts";
import { trackFields } from "../object/managed-fields.ts";
import { admitMutating, needsAdmission } from "./admit.ts";

/** Updates an object, or a subresource of it. */
export async function update(call: Call): Promise<Answer> {
  if (call.name === "") throw badRequest("name must be provided");
  const { dryRun } = readWriteOptions(call);
  const sent = readObject(call);
  checkName(call, sent);
  dropRepeatedOwners(sent);
  const part = partOf(call);
  if (!call.collection.get(keyOf(call)) && call.entry.strategy.createsOnUpdate && call.subresource !== "scale")
    return createInstead(call, sent, dryRun);
  const object = await updateObject(call, {
    apply: (live) => {
      requireUid(call, sent, live);
      requireVersion(call, sent);
      return writePart(call, { sent: cloneJson(sent), live, dryRun });
    },
    dryRun,
  });
  return { type: "object", code: 200, body: part.show(object) };
}

/** Creates an object of a kind whose update may create; its version is ignored. */
async function createInstead(call: Call, sent: UnstructuredObject, dryRun: boolean): Promise<Answer> {
  if (sent.metadata.uid) throw unmetPrecondition(call.entry.resource, call.name, ["UID", sent.metadata.uid, ""]);
  checkVersionText(sent.metadata.resourceVersion);
  // The storage, which drops the version, is not reached by a dry run.
  if (!dryRun) delete sent.metadata.resourceVersion;
  return { type: "object", code: 201, body: await createObject(call, sent, { dryRun }) };
}

interface SentPart {
  readonly sent: UnstructuredObject;
  readonly live: UnstructuredObject;
  readonly dryRun: boolean;
  /** True if the managedFields are set already, as by an apply. */
  readonly tracked?: boolean;
}

/** Returns the object with the sent part, and with the managers of a Scale or of an apply. */
export async function writePart(call: Call, change: SentPart): Promise<UnstructuredObject> {
  const { live, tracked } = change;
  const part = partOf(call);
  const isScale = call.subresource === "scale";
  const sent = isScale ? await completeScale(call, change) : change.sent;
  const wanted = part.write(sent, live);
  if (!isScale && !tracked) return wanted;
  const managedFields = part.managersAfter(sent.metadata.managedFields, live);
  return { ...wanted, metadata: { ...wanted.metadata, ...(managedFields && { managedFields }) } };
}

/**
 * Returns the sent Scale with its managers. The mutating policies and webhooks see a Scale as it was sent, and change it
 * before it changes its object.
 */
async function completeScale(call: Call, { sent, live, dryRun, tracked }: SentPart): Promise<UnstructuredObject> {
  const part = partOf(call);
  const managers = part.managersOf(live);
  const shown = part.show(live);
  const oldObject = { ...shown, metadata: { ...shown.metadata, ...(managers?.length && { managedFields: managers }) } };
  const object = cloneJson({
    ...sent,
    spec: sent["spec"] ?? {},
    status: { replicas: 0, ...(sent["status"] as object) },
  });
  settleNamespace(call, object.metadata);
  if (!tracked) {
    if (managers?.length) object.metadata.managedFields = managers;
    await trackFields(ofPartKind(call), object, oldObject);
  }
  if (!needsAdmission(call)) return object;
  const { resourceVersion } = shown.metadata;
  const isFree = call.request.method === "PATCH" && object.metadata.resourceVersion === undefined;
  if (isFree && resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
  const changed = await admitMutating(call, { operation: "UPDATE", object, oldObject, dryRun, shown: true });
  const admitted = changed ?? object;
  if (isFree) delete admitted.metadata.resourceVersion;
  return admitted;
}

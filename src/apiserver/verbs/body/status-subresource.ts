import { cloneJson } from "../../../apimachinery/clone.ts";
import type { ObjectMeta, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { ResourceEntry } from "../../registry/resource-entry.ts";
import type { Call } from "../call/call.ts";
import { dropUndefined } from "./drop-undefined.ts";

/** What `/status` takes of a body: the status, and the preconditions in the metadata. */
export function onlyStatus(call: Call, sent: UnstructuredObject, live: UnstructuredObject): UnstructuredObject {
  const wanted = cloneJson(live);
  const { entry } = call;
  if (takesWholeMeta(entry)) {
    wanted.metadata = { ...sent.metadata };
    for (const field of keptByStatus(entry)) copyMember(wanted.metadata, live.metadata, field);
  } else {
    const { name, namespace, uid, resourceVersion } = sent.metadata;
    if (resourceVersion === undefined) delete wanted.metadata.resourceVersion;
    Object.assign(wanted.metadata, dropUndefined({ name, namespace, uid, resourceVersion }));
  }
  if (sent["status"] === undefined) delete wanted["status"];
  else wanted["status"] = sent["status"];
  return wanted;
}

/** Most built-in kinds let `/status` write the metadata too. */
export function takesWholeMeta({ resource }: ResourceEntry): boolean {
  return resource.custom === undefined && !statusOnly.has(resource.kind);
}

/** What of it stays as it is. */
export function keptByStatus({ strategy }: ResourceEntry): readonly (keyof ObjectMeta)[] {
  return strategy.keptByStatus ?? [];
}

const statusOnly = new Set([
  "CustomResourceDefinition",
  "DeviceClass",
  "ResourceClaim",
  "ValidatingAdmissionPolicy",
  "VolumeAttachment",
]);

/** Takes one member from another object, absence included. */
function copyMember(to: ObjectMeta, from: ObjectMeta, name: keyof ObjectMeta): void {
  if (from[name] === undefined) delete to[name];
  else Object.assign(to, { [name]: cloneJson(from[name]) });
}

import { cloneJson } from "../../apimachinery/clone.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Call } from "./call.ts";
import { dropUndefined } from "./drop-undefined.ts";

/** What `/status` takes of a body: the status, and the preconditions in the metadata. */
export function onlyStatus(call: Call, sent: UnstructuredObject, live: UnstructuredObject): UnstructuredObject {
  const wanted = cloneJson(live);
  const { name, namespace, uid, resourceVersion } = sent.metadata;
  if (resourceVersion === undefined) delete wanted.metadata.resourceVersion;
  Object.assign(wanted.metadata, dropUndefined({ name, namespace, uid, resourceVersion }));
  if (!call.entry.resource.custom) carryAnnotations(wanted, sent);
  if (sent["status"] === undefined) delete wanted["status"];
  else wanted["status"] = sent["status"];
  return wanted;
}

/** Built-in kinds let `/status` write annotations and finalizers too, but not labels. */
function carryAnnotations(wanted: UnstructuredObject, sent: UnstructuredObject): void {
  for (const field of ["annotations", "finalizers"] as const) {
    if (sent.metadata[field] === undefined) delete wanted.metadata[field];
    else Object.assign(wanted.metadata, { [field]: sent.metadata[field] });
  }
}

import { cloneJson } from "../../../apimachinery/clone.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Steps } from "../../../apimachinery/steps.ts";
import { trackFields } from "../object/managed-fields.ts";
import { partOf } from "../object/part.ts";
import { ofPartKind } from "../object/part-kind.ts";
import { settleNamespace } from "../object/prepare-object.ts";
import type { Call } from "../request/call.ts";
import { admitMutating, needsAdmission } from "./admit.ts";

interface SentPart {
  readonly sent: UnstructuredObject;
  readonly live: UnstructuredObject;
  readonly dryRun: boolean;
  /** True if the managedFields are set already, as by an apply. */
  readonly tracked?: boolean;
}

/**
 * Returns the object with the sent part. The mutating policies and webhooks see a Scale as it was sent, and change it
 * before it changes its object.
 */
export function* writePart(call: Call, { sent, live, dryRun, tracked }: SentPart): Steps<UnstructuredObject> {
  const part = partOf(call);
  if (call.subresource !== "scale" || !needsAdmission(call)) return part.write(sent, live);
  const managers = part.managersOf(live);
  const shown = part.show(live);
  const oldObject = { ...shown, metadata: { ...shown.metadata, ...(managers?.length && { managedFields: managers }) } };
  const object = cloneJson({
    ...sent,
    spec: sent["spec"] ?? {},
    status: { replicas: 0, ...(sent["status"] as object) },
  });
  settleNamespace(call, object.metadata);
  const { resourceVersion } = shown.metadata;
  const isFree = call.request.method === "PATCH" && object.metadata.resourceVersion === undefined;
  if (isFree && resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
  if (!tracked) {
    if (managers?.length) object.metadata.managedFields = managers;
    yield* trackFields(ofPartKind(call), object, oldObject);
  }
  let admitted: UnstructuredObject = object;
  yield admitMutating(call, { operation: "UPDATE", object, oldObject, dryRun, shown: true }).then((changed) => {
    admitted = changed ?? object;
  });
  if (isFree) delete admitted.metadata.resourceVersion;
  return part.write(admitted, live);
}

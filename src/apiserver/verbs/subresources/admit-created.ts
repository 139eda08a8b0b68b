import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { settleAdmitted } from "../object/decode-object.ts";
import { trackFields } from "../object/managed-fields.ts";
import { ofPartKind } from "../object/part.ts";
import { defaultObject, settleNamespace } from "../object/prepare-object.ts";
import type { Call, Answer } from "../request/call.ts";
import { admitMutating, admitValidating, needsAdmission } from "../write/admit.ts";

/** An object that is created to have an effect, and never stored, such as a Binding. */
interface Created {
  readonly object: UnstructuredObject;
  readonly dryRun: boolean;
  /** False if policies and webhooks do not see it. */
  readonly isAdmitted?: boolean;
}

/** Completes the created object, shows it to the mutating policies and webhooks, and returns it as they leave it. */
export async function admitCreated(call: Call, created: Created): Promise<UnstructuredObject> {
  const { object, dryRun, isAdmitted = true } = created;
  const own = ofPartKind(call);
  defaultObject(own, object);
  settleNamespace(call, object.metadata);
  if (!isAdmitted || !needsAdmission(call)) return object;
  delete object.metadata.managedFields;
  await trackFields(own, object);
  const changed = (await admitMutating(call, { operation: "CREATE", object, dryRun })) ?? object;
  if (changed === object) return object;
  settleAdmitted(own, changed);
  defaultObject(own, changed);
  return changed;
}

/** Shows the created object, which is checked, to the validating policies and webhooks. */
export async function checkCreated(call: Call, { object, dryRun, isAdmitted = true }: Created): Promise<void> {
  if (isAdmitted && needsAdmission(call)) await admitValidating(call, { operation: "CREATE", object, dryRun });
}

/** The answer to a POST that creates no object. */
export const success: Answer = {
  type: "success",
  code: 201,
  body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 },
};

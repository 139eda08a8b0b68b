import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { AdmissionAttributes } from "../admission/admission-attributes.ts";
import { hasWebhooks, mutate, validate, type AdmissionScope } from "../admission/run-webhooks.ts";
import type { Call } from "./call.ts";
import { fieldManager } from "./managed-fields.ts";
import { partOf } from "./part.ts";

export interface AdmissionWrite {
  readonly operation: AdmissionAttributes["operation"];
  readonly object?: UnstructuredObject | undefined;
  readonly oldObject?: UnstructuredObject | undefined;
  readonly dryRun: boolean;
}

/** Whether anybody wants to be asked about writes. */
export function needsAdmission({ core }: Call): boolean {
  return hasWebhooks(core.store);
}

/** The object as the mutating webhooks leave it. */
export async function admitMutating(call: Call, write: AdmissionWrite): Promise<UnstructuredObject | undefined> {
  // A webhook changes a Scale in vain: what it stands for has been decided by then.
  const object = await mutate(scopeOf(call), attributesOf(call, write));
  return call.subresource === "scale" ? write.object : object;
}

/** Lets the validating webhooks refuse. */
export async function admitValidating(call: Call, write: AdmissionWrite): Promise<void> {
  await validate(scopeOf(call), attributesOf(call, write));
}

function scopeOf({ core, warnings }: Call): AdmissionScope {
  return { store: core.store, resolveService: core.resolveService, warnings };
}

function attributesOf(call: Call, { operation, object, oldObject, dryRun }: AdmissionWrite): AdmissionAttributes {
  const { entry, request, subresource, namespace, name } = call;
  const part = partOf(call);
  return {
    resource: entry.resource,
    subresource,
    operation,
    namespace,
    name: name || (object?.metadata.name ?? oldObject?.metadata.name ?? ""),
    object: object && part.show(object),
    oldObject: oldObject && part.show(oldObject),
    dryRun,
    options: optionsOf(call, operation, dryRun),
    user: request.user,
  };
}

function optionsOf(call: Call, operation: AdmissionWrite["operation"], dryRun: boolean): Record<string, unknown> {
  const kind =
    operation === "DELETE"
      ? "DeleteOptions"
      : call.request.method === "PATCH"
        ? "PatchOptions"
        : `${operation[0]}${operation.slice(1).toLowerCase()}Options`;
  const manager = operation === "DELETE" ? undefined : call.query.get("fieldManager") && fieldManager(call);
  const validation = call.query.get("fieldValidation");
  return {
    kind,
    apiVersion: "meta.k8s.io/v1",
    ...(dryRun && { dryRun: ["All"] }),
    ...(manager && { fieldManager: manager }),
    ...(validation && { fieldValidation: validation }),
  };
}

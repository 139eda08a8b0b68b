import type { StatusDetails } from "../../../apimachinery/status.ts";
import { decodeBody } from "../../codec/decode-body.ts";
import { decodeError } from "../../registry/decode-error.ts";
import { badRequest, notRegistered } from "../../refusals.ts";
import { admitMutating, admitValidating, needsAdmission } from "../write/admit.ts";
import type { Answer } from "../call/answer.ts";
import { keyOf, type Call } from "../call/call.ts";
import { deleteObject } from "./delete-object.ts";
import { readDeleteOptions, type DeleteOptions } from "../options/delete-options.ts";

/** DELETE of one object. */
export async function deleteOne(call: Call): Promise<Answer> {
  const options = withDefault(call, readDeleteOptions(call, readOptionsBody(call)));
  await admitDeletion(call, keyOf(call), options);
  const { object, gone } = deleteObject(call, keyOf(call), options);
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

/** Of some kinds a server leaves what they own, unless it is told otherwise. */
export function withDefault({ entry, warnings }: Call, options: DeleteOptions): DeleteOptions {
  const warning = entry.strategy.orphansByDefault;
  if (warning === undefined || options.propagationPolicy || options.orphanDependents !== undefined) return options;
  if (warning) warnings.push(warning);
  return { ...options, orphansUnlessMarked: true };
}

/** Lets webhooks refuse a deletion; they can't change it. What can't be converted can't be deleted either. */
export async function admitDeletion(call: Call, key: string, options: DeleteOptions): Promise<void> {
  const stored = call.collection.get(key);
  if (!stored) return;
  await call.entry.load?.([stored]);
  if (!needsAdmission(call)) return;
  const { dryRun, orphansUnlessMarked: _, ...deletion } = options;
  const write = { operation: "DELETE", oldObject: call.entry.read(stored), dryRun, deletion } as const;
  await admitMutating(call, write);
  await admitValidating(call, write);
}

export function readOptionsBody(call: Call): Record<string, unknown> | undefined {
  const { headers, body } = call.request;
  if (body.length === 0) return undefined;
  const { value } = decodeBody(headers["content-type"], body, { kind: "DeleteOptions", findDuplicates: false });
  const { kind, apiVersion } = value as { kind?: string | null; apiVersion?: string };
  if (kind && kind !== "DeleteOptions") throw badRequest(notRegistered(kind, apiVersion));
  const error = decodeError("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions", value);
  if (error !== undefined) throw badRequest(error);
  // Null says nothing.
  return Object.fromEntries(Object.entries(value).filter(([, option]) => option !== null));
}

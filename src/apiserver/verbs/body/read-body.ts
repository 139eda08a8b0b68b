import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { decodeBody } from "../../codec/decode-body.ts";
import { decodeError, metaDecodeError } from "../../registry/decode-error.ts";
import { badRequest } from "../../refusals.ts";
import type { Call } from "../call/call.ts";
import { checkBuiltinType, checkCustomKind, requireType } from "./check-type.ts";
import { fieldValidation } from "../options/field-validation.ts";
import { tidyMeta } from "./object-meta.ts";
import { partOf } from "./part.ts";
import { pruneObject } from "./shape-object.ts";

/** The object in the request's body, checked to be of the URL's kind. */
export function readObject(call: Call): UnstructuredObject {
  const { kind, apiVersion } = partOf(call);
  const findDuplicates = fieldValidation(call) !== "Ignore";
  const { headers, body } = call.request;
  const { value, duplicates } = decodeBody(headers["content-type"], body, { kind, findDuplicates });
  const object = (
    "kind" in value && "apiVersion" in value ? value : { kind: undefined, apiVersion: undefined, ...value }
  ) as UnstructuredObject;
  const isCustom = call.entry.resource.custom !== undefined && call.subresource !== "scale";
  if (isCustom) requireType(call, object, { kind, apiVersion });
  object.kind ||= kind;
  object.apiVersion ||= apiVersion;
  if (!isCustom) checkBuiltinType(call, object);
  checkTypes(call, object);
  object.metadata ??= {};
  tidyMeta(object.metadata);
  if (call.subresource !== "scale") pruneObject(call, object, duplicates);
  if (isCustom) checkCustomKind(call, object);
  return object;
}

/** What a patch by structs says of the object; only built-in kinds have them. */
export function restoreErrorOf({ entry, subresource }: Call, object: UnstructuredObject): string | undefined {
  if (subresource === "scale") return decodeError(scale, object);
  return entry.type && decodeError(entry.type, object);
}

const scale = "io.k8s.api.autoscaling.v1.Scale";

/** A body of another kind than the URL's resource, as some subresources take. */
export function readRaw(call: Call, kind: string): Record<string, unknown> {
  const { headers, body } = call.request;
  return decodeBody(headers["content-type"], body, { kind, findDuplicates: false }).value;
}

/** Refuses values of the wrong JSON type, as Go's decoder does. */
function checkTypes(call: Call, object: UnstructuredObject): void {
  const error = decodeErrorOf(call, object);
  if (error === undefined) return;
  const { version, kind } = call.entry.resource;
  throw badRequest(`${object.kind ?? kind} in version "${version}" cannot be handled as a ${kind}: ${error}`);
}

/** What a typed decoder says of the object; of a custom one it sees the metadata only. */
export function decodeErrorOf(call: Call, object: UnstructuredObject): string | undefined {
  const { entry, subresource } = call;
  if (subresource === "scale") return decodeError(scale, object);
  return entry.type ? decodeError(entry.type, object) : metaDecodeError(object.metadata);
}

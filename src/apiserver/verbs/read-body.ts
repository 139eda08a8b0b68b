import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { decodeBody } from "../codec/decode-body.ts";
import { decodeError, metaDecodeError } from "../registry/decode-error.ts";
import { badRequest, invalid } from "../refusals.ts";
import type { Call } from "./call.ts";
import { fieldValidation } from "./field-validation.ts";
import { tidyMeta } from "./object-meta.ts";
import { partOf } from "./part.ts";
import { pruneObject } from "./shape-object.ts";

/** The object in the request's body, checked to be of the URL's kind. */
export function readObject(call: Call): UnstructuredObject {
  const { kind, apiVersion } = partOf(call);
  const findDuplicates = fieldValidation(call) !== "Ignore";
  const { headers, body } = call.request;
  const { value, duplicates } = decodeBody(headers["content-type"], body, { kind, findDuplicates });
  const object = value as UnstructuredObject;
  const isCustom = call.entry.resource.custom !== undefined && call.subresource !== "scale";
  if (isCustom) requireType(body, object, kind);
  object.kind ||= kind;
  object.apiVersion ||= apiVersion;
  if (isCustom) checkCustomVersion(object, apiVersion);
  else checkBuiltinType(object, kind, apiVersion);
  checkTypes(call, object);
  object.metadata ??= {};
  tidyMeta(object.metadata);
  if (call.subresource !== "scale") pruneObject(call, object, duplicates);
  if (isCustom) checkCustomKind(call, object);
  return object;
}

/** A body of another kind than the URL's resource, as some subresources take. */
export function readRaw(call: Call, kind: string): Record<string, unknown> {
  const { headers, body } = call.request;
  return decodeBody(headers["content-type"], body, { kind, findDuplicates: false }).value;
}

/** Custom resources come to their kind's rules with any kind and version; it is those rules that refuse others. */
export function checkCustomKind(call: Call, object: UnstructuredObject): void {
  const { kind, apiVersion } = partOf(call);
  const { group } = call.entry.resource;
  const refuse = (field: string, value: unknown, must: string): never => {
    const message = `Invalid value: ${JSON.stringify(value)}: must be ${must}`;
    const cause = { reason: "FieldValueInvalid", message, field };
    throw invalid({ group, kind: object.kind ?? "" }, object.metadata.name ?? "", [cause]);
  };
  if (object.kind !== kind) refuse("kind", object.kind, kind);
  if (object.apiVersion !== apiVersion) refuse("apiVersion", object.apiVersion, apiVersion);
}

/** Refuses values of the wrong JSON type, as Go's decoder does. */
export function checkTypes(call: Call, object: UnstructuredObject): void {
  const error = decodeErrorOf(call, object);
  if (error === undefined) return;
  const { version, kind } = call.entry.resource;
  throw badRequest(`${object.kind ?? kind} in version "${version}" cannot be handled as a ${kind}: ${error}`);
}

/** What a typed decoder says of the object; of a custom one it sees the metadata only. */
export function decodeErrorOf(call: Call, object: UnstructuredObject): string | undefined {
  const { entry, subresource } = call;
  if (subresource === "scale") return decodeError("io.k8s.api.autoscaling.v1.Scale", object);
  return entry.decodeError ? entry.decodeError(object) : metaDecodeError(object.metadata);
}

/** What a client leaves out is known from the URL for built-in kinds, but not for custom ones. */
function requireType(body: Uint8Array, object: UnstructuredObject, expected: string): void {
  const missing = !object.kind ? "Kind" : !object.apiVersion ? "apiVersion" : undefined;
  if (!missing) return;
  const text = new TextDecoder().decode(body);
  const start = text.length > 30 ? `${text.slice(0, 30)} ...` : text;
  const why = `Object '${missing}' is missing in '${text}'`;
  throw badRequest(`the object provided is unrecognized (must be of type ${expected}): ${why} (${start})`);
}

function checkCustomVersion({ apiVersion }: UnstructuredObject, expected: string): void {
  if (apiVersion !== expected)
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
}

function checkBuiltinType({ kind, apiVersion = "" }: UnstructuredObject, expected: string, version: string): void {
  const short = apiVersion.slice(apiVersion.indexOf("/") + 1);
  const subject = `${kind} in version "${short}" cannot be handled as a ${expected}`;
  if (apiVersion !== version)
    throw badRequest(
      `${subject}: no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
    );
  const internal = apiVersion.includes("/") ? apiVersion.split(/[./]/)[0] : "core";
  if (kind !== expected)
    throw badRequest(`${subject}: converting (${short}.${kind}) to (${internal}.${expected}): unknown conversion`);
}

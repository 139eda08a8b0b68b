import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { decodeBody } from "../codec/decode-body.ts";
import { badRequest } from "../refusals.ts";
import type { Call } from "./call.ts";
import { fieldValidation } from "./field-validation.ts";
import { partOf } from "./part.ts";
import { pruneObject } from "./shape-object.ts";

/** The object in the request's body, checked to be of the URL's kind. */
export function readObject(call: Call): UnstructuredObject {
  const { kind, apiVersion } = partOf(call);
  const findDuplicates = fieldValidation(call) !== "Ignore";
  const { headers, body } = call.request;
  const { value, duplicates } = decodeBody(headers["content-type"], body, { kind, findDuplicates });
  const object = value as UnstructuredObject;
  if (call.entry.resource.custom && !call.subresource) requireType(body, object);
  object.kind ??= kind;
  object.apiVersion ??= apiVersion;
  checkType(object, kind, apiVersion);
  object.metadata ??= {};
  if (kind === call.entry.resource.kind) pruneObject(call, object, duplicates);
  return object;
}

/** What a client leaves out is known from the URL for built-in kinds, but not for custom ones. */
function requireType(body: Uint8Array, { kind, apiVersion }: UnstructuredObject): void {
  const missing = !kind ? "Kind" : !apiVersion ? "apiVersion" : undefined;
  if (missing) throw badRequest(`Object '${missing}' is missing in '${new TextDecoder().decode(body)}'`);
}

function checkType(object: UnstructuredObject, kind: string, apiVersion: string): void {
  if (object.apiVersion !== apiVersion)
    throw badRequest(
      `the API version in the data (${object.apiVersion}) does not match the expected API version (${apiVersion})`,
    );
  if (object.kind !== kind) throw badRequest(`${object.apiVersion} ${object.kind} is not ${kind}`);
}

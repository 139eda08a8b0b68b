import { invalidError } from "../../../apimachinery/invalid-error.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { decodeBody, type DecodedBody } from "../../codec/decode-body.ts";
import { mostFindings, unknownField } from "../../codec/json.ts";
import { decodeError, metaDecodeError } from "../../registry/decode-error.ts";
import { badRequest, bareError } from "../../refusals.ts";
import type { Call } from "../request/call.ts";
import { fieldValidation, reportFields } from "../request/write-options.ts";
import { checkCounts } from "./check-counts.ts";
import { settleNamespace, tidyMeta } from "./prepare-object.ts";
import { partOf } from "./part.ts";
import { embeddedDecodeError, tidyEmbedded } from "./embedded.ts";
import { builtinSchema } from "../../../apimachinery/builtin/builtin-schema.ts";
import { pruneUnknown } from "../../../apimachinery/schema/prune.ts";
import { invalid as invalidField } from "../../../apimachinery/field-error.ts";
import { parseApiVersion } from "../../../apimachinery/kind.ts";

/** Reads the object in the request's body, and checks that it has the kind of the URL. */
export function readObject(call: Call): UnstructuredObject {
  const { kind, apiVersion } = partOf(call);
  const findDuplicates = fieldValidation(call) !== "Ignore";
  const { headers, body } = call.request;
  const { value, ...found } = decodeBody(headers["content-type"], body, { kind, findDuplicates });
  const object = (
    "kind" in value && "apiVersion" in value ? value : { kind: undefined, apiVersion: undefined, ...value }
  ) as UnstructuredObject;
  const isCustom = isOfCustomKind(call);
  // The URL gives the type of a built-in object.
  if (isCustom ? !object.kind || object.apiVersion !== apiVersion : typeErrorOf(call, object) !== undefined)
    throw badRequest(`the object provided is unrecognized: must be of type ${kind} in ${apiVersion}`);
  object.kind ||= kind;
  object.apiVersion ||= apiVersion;
  checkCounts(call, object);
  checkTypes(call, object);
  object.metadata ??= {};
  tidyMeta(object.metadata, isCustom);
  // The fields of another kind are not known.
  if (isCustom) checkCustomKind(call, object);
  if (call.subresource !== "scale") pruneObject(call, object, found);
  return object;
}

/** Reads a body of another kind than the URL's resource, which some subresources take. */
export function readRaw(call: Call, kind: string): Record<string, unknown> {
  const { headers, body } = call.request;
  return decodeBody(headers["content-type"], body, { kind, findDuplicates: false }).value;
}

/** Refuses values of the wrong JSON type. */
function checkTypes(call: Call, object: UnstructuredObject): void {
  const error = decodeErrorOf(call, object);
  if (error === undefined) return;
  const { version, kind } = call.entry.resource;
  throw badRequest(`${object.kind ?? kind} in version "${version}" cannot be handled as a ${kind}: ${error}`);
}

/** Returns the error of a typed decoder about the object; for a custom one, only about its metadata. */
export function decodeErrorOf(call: Call, object: UnstructuredObject): string | undefined {
  const { entry, subresource } = call;
  if (subresource === "scale" || entry.type) return typedErrorOf(call, object);
  return metaDecodeError(object.metadata) ?? embeddedDecodeError(entry.resource.schema() ?? {}, object);
}

/** Returns the error of a typed decoder about the object of a built-in kind. */
export function typedErrorOf({ entry, subresource }: Call, object: UnstructuredObject): string | undefined {
  const type = subresource === "scale" ? "io.k8s.api.autoscaling.v1.Scale" : entry.type;
  return type && decodeError(type, object);
}

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/**
 * Drops fields that the kind's schema does not declare, and reports them together with the earlier findings.
 */
export function pruneObject(
  call: Call,
  object: UnstructuredObject,
  { duplicates }: Pick<DecodedBody, "duplicates">,
  refuse?: (why: string) => Error,
): void {
  const unknown: string[] = [];
  const ofMetadata: string[] = [];
  const note = (list: string[], path: string): void => {
    if (list.length < mostFindings) list.push(unknownField(path));
  };
  const { resource } = call.entry;
  const schema = resource.schema();
  pruneUnknown(builtinSchema(objectMeta)!, object.metadata, (path) => note(ofMetadata, `metadata.${path}`));
  if (schema && resource.custom) tidyEmbedded(schema, object);
  if (schema) pruneUnknown(schema, object, (path) => note(unknown, path));
  reportFields(call, object, [...duplicates, ...ofMetadata.sort(), ...unknown.sort()], refuse);
}

/** Reports whether the object of a request is of a custom kind, as its Scale is not. */
export function isOfCustomKind({ entry, subresource }: Call): boolean {
  return entry.resource.custom !== undefined && subresource !== "scale";
}

/** Returns the error about the type of an object; an absent part is that of the URL. */
export function typeErrorOf(call: Call, { kind, apiVersion }: UnstructuredObject): string | undefined {
  const expected = partOf(call);
  const isRight =
    (kind || expected.kind) === expected.kind && (apiVersion || expected.apiVersion) === expected.apiVersion;
  return isRight ? undefined : `${kind ?? ""} in ${apiVersion ?? ""} is not ${expected.kind} in ${expected.apiVersion}`;
}

/** Refuses a custom object of another kind or version, as a validation error. */
export function checkCustomKind(call: Call, object: UnstructuredObject): void {
  const { kind, apiVersion } = partOf(call);
  const { group } = parseApiVersion(object.apiVersion ?? "");
  const refuse = (field: string, value: unknown, must: string): never => {
    const cause = invalidField(field, value, `must be ${must}`);
    throw invalidError({ group, kind: object.kind ?? "" }, object.metadata.name ?? "", [cause]);
  };
  if (object.kind !== kind) refuse("kind", object.kind, kind);
  if (object.apiVersion !== apiVersion) refuse("apiVersion", object.apiVersion, apiVersion);
}

/**
 * Checks an object that admission has changed, as it is decoded from a webhook: the type and the namespace stay, and a
 * custom object loses the wrong parts of its metadata.
 */
export function settleAdmitted(call: Call, object: UnstructuredObject): void {
  const { kind, apiVersion } = partOf(call);
  object.kind ||= kind;
  object.apiVersion ||= apiVersion;
  const metadata = (object.metadata ??= {});
  if (isOfCustomKind(call)) {
    if (object.apiVersion !== apiVersion)
      throw bareError(`request to convert CR from an invalid group/version: ${object.apiVersion}`);
    checkCustomKind(call, object);
    for (const [name, value] of Object.entries(metadata))
      if (metaDecodeError({ [name]: value }) !== undefined) delete (metadata as Record<string, unknown>)[name];
    pruneUnknown(builtinSchema(objectMeta)!, metadata);
  }
  tidyMeta(metadata);
  settleNamespace(call, metadata);
}

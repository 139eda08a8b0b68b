import { isObject } from "../../../apimachinery/is-object.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { ApiError, failure } from "../../../apimachinery/status.ts";
import { applyJsonPatch, JsonPatchError, type JsonPatchOperation } from "../../../apimachinery/patch/json-patch.ts";
import { applyMergePatch } from "../../../apimachinery/patch/merge-patch.ts";
import { applyStrategicMergePatch } from "../../../apimachinery/patch/strategic-merge.ts";
import { StrategicMergeError } from "../../../apimachinery/patch/strategic-patch.ts";
import { badRequest, bareError, unprocessable, invalid } from "../../refusals.ts";
import { jsonType, withoutType } from "../../codec/decode-body.ts";
import { bodyText, findDuplicates, parseJson } from "../../codec/json.ts";
import type { Answer, Call } from "../request/call.ts";
import { serverSideApply } from "./server-side-apply.ts";
import { fieldValidation, readWriteOptions } from "../request/write-options.ts";
import { isDivisible } from "../object/managed-fields.ts";
import { partOf } from "../object/part.ts";
import { updateObject } from "./update-object.ts";
import { cloneJson } from "../../../apimachinery/clone.ts";
import { parseApiVersion } from "../../../apimachinery/kind.ts";
import { invalid as invalidField } from "../../../apimachinery/schema/field-error.ts";
import { sortMembers } from "../../../apimachinery/sort-members.ts";
import { goText } from "../../../apimachinery/go-text.ts";
import { checkCustomKind, typeErrorOf, decodeErrorOf, restoreErrorOf, pruneObject } from "../object/decode-object.ts";
import { tidyMeta } from "../object/prepare-object.ts";

/** The most operations of a JSON patch, as in a real server. */
const mostOperations = 10_000;

/** Applies a patch to an object. */
type Patcher = (shown: UnstructuredObject) => UnstructuredObject;

/** Patches an object, or a subresource of it. */
export async function patch(call: Call): Promise<Answer> {
  if (!isSupported(call)) throw unsupportedPatchType(call);
  if (call.name === "") throw badRequest("name must be provided");
  if (mediaType(call) === "application/apply-patch+yaml") return serverSideApply(call);
  const { dryRun } = readWriteOptions(call);
  const patcher = patcherOf(call);
  const part = partOf(call);
  let divisible = true;
  const apply = (live: UnstructuredObject): UnstructuredObject => {
    const shown = part.show(live);
    const patched = patcher(shown);
    divisible = isDivisible(call, patched);
    return part.write(withoutVersion(patched, shown), live);
  };
  const object = await updateObject(call, { apply, isDivisible: () => divisible, dryRun });
  return { type: "object", code: 200, body: part.show(object) };
}

/** Removes a version that the patch did not change: it is not a precondition. One that the patch removed is empty. */
function withoutVersion(patched: UnstructuredObject, shown: UnstructuredObject): UnstructuredObject {
  const { metadata } = patched;
  if (metadata.resourceVersion === shown.metadata.resourceVersion) delete metadata.resourceVersion;
  else metadata.resourceVersion ??= "";
  return patched;
}

function mediaType({ request }: Call): string {
  const [type = ""] = (request.headers["content-type"] ?? "").split(";");
  return type.trim();
}

function patcherOf(call: Call): Patcher {
  switch (mediaType(call)) {
    case "application/json-patch+json":
      return jsonPatcher(call);
    case "application/merge-patch+json":
      return mergePatcher(call);
    default:
      return strategicPatcher(call);
  }
}

const decoding = "error decoding patch: ";

function readPatch(call: Call, prefix = decoding): unknown {
  try {
    return parseJson(bodyText(call.request.body));
  } catch (error) {
    throw badRequest(prefix + (error instanceof Error ? error.message : String(error)));
  }
}

function duplicatesIn(call: Call): readonly string[] {
  return fieldValidation(call) === "Ignore" ? [] : findDuplicates(bodyText(call.request.body));
}

// A patch is parsed when the object is known: a missing object is reported first.

function mergePatcher(call: Call): Patcher {
  return (shown) => {
    const patch = readPatch(call);
    if (patch === null) throw badRequest("Invalid JSON Patch");
    // A search for duplicates would require an object.
    if (fieldValidation(call) === "Ignore") {
      if (Array.isArray(patch)) throw notAnObject(patch);
      if (typeof patch !== "object") throw badRequest("Invalid JSON Patch");
    }
    return checkPatched(call, applyMergePatch(shown, requireFields(patch, decoding)), duplicatesIn(call));
  };
}

function strategicPatcher(call: Call): Patcher {
  const schema = call.subresource === "scale" ? {} : call.entry.resource.schema();
  return (shown) => {
    const patch = requireFields(readPatch(call, "") ?? {}, "");
    try {
      const duplicates = duplicatesIn(call);
      return checkMerged(call, applyStrategicMergePatch(shown, patch, schema), { patch, duplicates });
    } catch (error) {
      if (error instanceof StrategicMergeError) throw strategicRefusal(error);
      throw error;
    }
  };
}

function strategicRefusal({ code, message }: StrategicMergeError): ApiError {
  if (code === 400) return badRequest(message);
  return code === 422 ? unprocessable() : bareError(message);
}

function requireFields(patch: unknown, prefix: string): Record<string, unknown> {
  if (isObject(patch)) return patch;
  throw badRequest(`${prefix}json: cannot unmarshal ${jsonType(patch)} into Go value of type map[string]interface {}`);
}

function jsonPatcher(call: Call): Patcher {
  return (shown) => {
    const operations = readOperations(call);
    try {
      return checkPatched(call, applyJsonPatch(shown, operations));
    } catch (error) {
      if (error instanceof JsonPatchError) throw unprocessable();
      throw error;
    }
  };
}

function readOperations(call: Call): readonly JsonPatchOperation[] {
  const operations = readPatch(call);
  if (!Array.isArray(operations) && operations !== null)
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonType(operations)} into Go value of type []handlers.jsonPatchOp`,
    );
  const list = (operations ?? []) as JsonPatchOperation[];
  if (list.length > mostOperations)
    throw new ApiError(
      failure(
        "RequestEntityTooLarge",
        `Request entity too large: The allowed maximum operations in a JSON patch is ${mostOperations}, got ${list.length}`,
      ),
    );
  return list;
}

const customTypes = ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"];
const strategicType = "application/strategic-merge-patch+json";

function isSupported(call: Call): boolean {
  const type = mediaType(call);
  return customTypes.includes(type) || (type === strategicType && !call.entry.resource.custom);
}

/** Returns the refusal of a patch type. Built-in resources have routes, which word it differently. */
function unsupportedPatchType({ entry }: Call): ApiError {
  if (!entry.resource.custom) return new ApiError(failure("UnsupportedMediaType", "415: Unsupported Media Type", {}));
  const types = customTypes.join(", ");
  const message = `the body of the request was in an unknown format - accepted media types include: ${types}`;
  return new ApiError(failure("UnsupportedMediaType", message));
}

/** Checks the result of a JSON or merge patch, which is decoded like any other text; errors name the patch. */
function checkPatched(call: Call, patched: unknown, duplicates: readonly string[] = []): UnstructuredObject {
  const object = objectOf(patched);
  // An object of an unknown version is not decoded.
  const isDecoded = isCustom(call) || call.subresource === "scale" || Boolean(object.apiVersion);
  const error =
    typeMetaError(object) ?? builtinTypeError(call, object) ?? (isDecoded ? patchedError(call, object) : undefined);
  const refuse = badPatch(JSON.stringify(object));
  if (error !== undefined) throw refuse(error);
  return completePatched(call, object, { duplicates, refuse });
}

/** Returns the first error of the decoder, which reads the members in order. */
function patchedError(call: Call, object: UnstructuredObject): string | undefined {
  if (decodeErrorOf(call, object) === undefined) return undefined;
  return decodeErrorOf(call, sortMembers(object) as UnstructuredObject);
}

/** Checks the result of a strategic merge patch, which cannot change the type of the object. */
function checkMerged(
  call: Call,
  patched: unknown,
  { patch, duplicates }: { readonly patch: unknown; readonly duplicates: readonly string[] },
): UnstructuredObject {
  const object = objectOf(patched);
  const error = restoreErrorOf(call, object);
  const refuse = badPatch(goText(patch));
  if (error !== undefined) throw refuse(error);
  const { kind, apiVersion } = partOf(call);
  return completePatched(call, Object.assign(object, { kind, apiVersion }), { duplicates, refuse });
}

function objectOf(patched: unknown): UnstructuredObject {
  if (!isObject(patched)) throw unprocessable();
  return cloneJson(patched) as UnstructuredObject;
}

function badPatch(shown: string): (error: string) => Error {
  return (error) => {
    return invalid({ group: "", kind: "" }, "", [invalidField("patch", shown, error)]);
  };
}

/** Returns the refusal of a merge patch that is a list, which would replace the object. */
function notAnObject(patched: readonly unknown[]): Error {
  return badPatch(JSON.stringify(patched))(withoutType(patched));
}

function typeMetaError(object: Readonly<Record<string, unknown>>): string | undefined {
  const wrong = ["apiVersion", "kind"].find((field) => typeof (object[field] ?? "") !== "string");
  if (wrong === undefined) return undefined;
  const found = jsonType(object[wrong]);
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go struct field .${wrong} of type string`;
}

function builtinTypeError(call: Call, object: UnstructuredObject): string | undefined {
  return isCustom(call) ? undefined : typeErrorOf(call, object);
}

interface Findings {
  readonly duplicates: readonly string[];
  readonly refuse: (why: string) => Error;
}

function completePatched(call: Call, object: UnstructuredObject, { duplicates, refuse }: Findings): UnstructuredObject {
  const unknown = fieldsOfOtherVersion(call, object);
  if (!isCustom(call)) Object.assign(object, { kind: object.kind || partOf(call).kind });
  if (!isCustom(call) && !object.apiVersion) object.metadata = {};
  object.metadata ??= {};
  tidyMeta(object.metadata);
  if (call.subresource === "scale") return object;
  pruneObject(call, object, [...duplicates, ...unknown], refuse);
  if (isCustom(call)) checkCustomKind(call, object);
  return object;
}

function isCustom({ entry, subresource }: Call): boolean {
  return entry.resource.custom !== undefined && subresource !== "scale";
}

/**
 * Returns the fields of an object with an unknown version, or without one: a real server reports all of them as
 * unknown.
 */
function fieldsOfOtherVersion(call: Call, object: UnstructuredObject): string[] {
  const expected = partOf(call).apiVersion;
  const given = object.apiVersion ?? "";
  if (given === expected || call.subresource === "scale") return [];
  const isKnown = isCustom(call) ? parseApiVersion(given).group === parseApiVersion(expected).group : given === "";
  if (!isKnown) return [];
  const { apiVersion: _version, kind: _kind, metadata, ...fields } = object;
  if (!isCustom(call) && metadata !== undefined) Object.assign(fields, { metadata });
  return Object.keys(fields)
    .toSorted()
    .map((name) => `unknown field "${name}"`);
}

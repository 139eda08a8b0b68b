import { isSince } from "../../../apimachinery/kubernetes-version.ts";
import { messageOf } from "../../../errors/message-of.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { ApiError, failure, isApiError } from "../../../apimachinery/status.ts";
import {
  JsonPatchError,
  JsonPatchLevelsError,
  applyLongJsonPatch,
  type JsonPatchOperation,
} from "../../../apimachinery/patch/json-patch.ts";
import { applyMergePatch } from "../../../apimachinery/patch/merge-patch.ts";
import { applyStrategicMergePatch } from "../../../apimachinery/patch/strategic-merge.ts";
import { StrategicMergeError } from "../../../apimachinery/patch/strategic-patch.ts";
import { badRequest, bareError, tooLarge, unprocessable } from "../../refusals.ts";
import { hasRepeatedKeys } from "../../codec/json.ts";
import { jsonType } from "../../codec/decode-body.ts";
import { bodyText, findDuplicates, parseJson } from "../../codec/json.ts";
import type { Answer, Call } from "../request/call.ts";
import { serverSideApply } from "./server-side-apply.ts";
import { fieldValidation, readWriteOptions } from "../request/write-options.ts";
import { partOf } from "../object/part.ts";
import { dropRepeatedOwners, tidyMeta } from "../object/prepare-object.ts";
import { writePart } from "./update.ts";
import { updateObject } from "./update-object.ts";
import { cloneJson } from "../../../apimachinery/clone.ts";
import { invalid as invalidField } from "../../../apimachinery/field-error.ts";
import { invalidError } from "../../../apimachinery/invalid-error.ts";
import {
  checkCounts,
  checkCustomKind,
  decodeErrorOf,
  isOfCustomKind,
  pruneObject,
  typeErrorOf,
} from "../object/decode-object.ts";

/** The most operations of a JSON patch. */
const mostOperations = 10_000;

/** Applies a patch to an object. */
type Patcher = (shown: UnstructuredObject) => UnstructuredObject | Promise<UnstructuredObject>;

/** Patches an object, or a subresource of it. */
export async function patch(call: Call): Promise<Answer> {
  if (!isSupported(call)) throw unsupportedPatchType(call);
  if (call.name === "") throw badRequest("name must be provided");
  if (mediaType(call) === "application/apply-patch+yaml") return serverSideApply(call);
  const { dryRun } = readWriteOptions(call);
  const patcher = patcherOf(call);
  const part = partOf(call);
  const apply = async (live: UnstructuredObject): Promise<UnstructuredObject> => {
    const shown = part.show(live);
    const patched = await patcher(shown);
    await call.turns.rest();
    dropRepeatedOwners(patched);
    return writePart(call, { sent: withoutVersion(patched, shown), live, dryRun });
  };
  const object = await updateObject(call, { apply, dryRun });
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
    if (isApiError(error)) throw error;
    throw badRequest(isSince(call.core.builtins.version, "1.37") ? "invalid JSON patch" : prefix + messageOf(error));
  }
}

function duplicatesIn(call: Call, patch: unknown): readonly string[] {
  if (fieldValidation(call) === "Ignore") return [];
  const text = bodyText(call.request.body);
  return hasRepeatedKeys(text, patch) ? findDuplicates(text) : [];
}

// A patch is parsed when the object is known: a missing object is reported first.

function mergePatcher(call: Call): Patcher {
  return (shown) => {
    const patch = requireFields(readPatch(call), decoding);
    return checkPatched(call, applyMergePatch(shown, patch), { duplicates: duplicatesIn(call, patch) });
  };
}

function strategicPatcher(call: Call): Patcher {
  const schema = call.subresource === "scale" ? {} : call.entry.resource.schema();
  return (shown) => {
    const patch = requireFields(readPatch(call, "") ?? {}, "");
    try {
      const patched = applyStrategicMergePatch(shown, patch, schema);
      return checkPatched(call, patched, { duplicates: duplicatesIn(call, patch), strategic: patch });
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
  return async (shown) => {
    const operations = readOperations(call);
    try {
      const patched = await applyLongJsonPatch(shown, operations, call.turns);
      return checkPatched(call, patched, { duplicates: duplicatesIn(call, operations) });
    } catch (error) {
      if (error instanceof JsonPatchLevelsError) throw tooLarge(error.message);
      if (error instanceof JsonPatchError) throw unprocessable();
      throw error;
    }
  };
}

/** The fields of an operation that are texts; a null counts as missing. */
const texts = ["op", "path", "from"];

function readOperations(call: Call): readonly JsonPatchOperation[] {
  const operations = readPatch(call) ?? [];
  const isText = (value: unknown): boolean => value === null || value === undefined || typeof value === "string";
  const isOperation = (each: unknown): boolean =>
    each === null || (isObject(each) && texts.every((name) => isText(each[name])));
  if (!Array.isArray(operations) || !operations.every(isOperation))
    throw badRequest(
      `${decoding}json: cannot unmarshal ${jsonType(operations)} into Go value of type []handlers.jsonPatchOp`,
    );
  if (operations.length > mostOperations)
    throw tooLarge(`The allowed maximum operations in a JSON patch is ${mostOperations}, got ${operations.length}`);
  return operations.map((operation) => (operation ?? {}) as JsonPatchOperation);
}

const customTypes = ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"];
const strategicType = "application/strategic-merge-patch+json";

function isSupported(call: Call): boolean {
  const type = mediaType(call);
  return customTypes.includes(type) || (type === strategicType && !call.entry.resource.custom);
}

/** Returns the refusal of a patch type, which kubectl prints. Built-in resources have routes, which word it differently. */
function unsupportedPatchType({ entry }: Call): ApiError {
  if (!entry.resource.custom) return new ApiError(failure("UnsupportedMediaType", "415: Unsupported Media Type", {}));
  const types = customTypes.join(", ");
  const message = `the body of the request was in an unknown format - accepted media types include: ${types}`;
  return new ApiError(failure("UnsupportedMediaType", message));
}

/**
 * Checks the result of a patch, which is decoded like any other text. A strategic merge patch, which errors show, cannot
 * change the type.
 */
function checkPatched(
  call: Call,
  patched: unknown,
  { duplicates, strategic }: { readonly duplicates: readonly string[]; readonly strategic?: object },
): UnstructuredObject {
  if (!isObject(patched)) throw unprocessable();
  checkCounts(call, patched as UnstructuredObject);
  const object = cloneJson(patched) as UnstructuredObject;
  const isCustom = isOfCustomKind(call);
  const refuse = (why: string): Error =>
    invalidError({ group: "", kind: "" }, "", [invalidField("patch", JSON.stringify(strategic ?? patched), why)]);
  const isTyped = [object.apiVersion, object.kind].every((part) => typeof (part ?? "") === "string");
  const { kind, apiVersion } = partOf(call);
  if (strategic && isTyped) Object.assign(object, { kind, apiVersion });
  if (!isCustom && isTyped && !object.apiVersion) throw badRequest("the patched object has no apiVersion");
  const typeError = isTyped ? (isCustom ? undefined : typeErrorOf(call, object)) : "its type must be of texts";
  const error = typeError ?? decodeErrorOf(call, object);
  // A real server converts the result of a strategic merge patch instead of decoding it; kubectl's tests know its words.
  if (error !== undefined)
    throw refuse(
      strategic ? error.replace(/^json: cannot unmarshal (\w+) .* map\[.*/, "cannot restore map from $1") : error,
    );
  if (!isCustom) Object.assign(object, { kind, apiVersion });
  object.metadata ??= {};
  tidyMeta(object.metadata, isCustom);
  if (call.subresource === "scale") return object;
  pruneObject(call, object, { duplicates }, refuse);
  if (isCustom) checkCustomKind(call, object);
  return object;
}

import { isObject } from "../../../apimachinery/is-object.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { ApiError, failure } from "../../../apimachinery/status.ts";
import { applyJsonPatch, JsonPatchError, type JsonPatchOperation } from "../../../apimachinery/patch/json-patch.ts";
import { applyMergePatch } from "../../../apimachinery/patch/merge-patch.ts";
import { applyStrategicMergePatch } from "../../../apimachinery/patch/strategic-merge.ts";
import { StrategicMergeError } from "../../../apimachinery/patch/strategic-patch.ts";
import { badRequest, bareError, unprocessable } from "../../refusals.ts";
import { bodyText, findDuplicates, jsonType } from "../../codec/decode-body.ts";
import { parseJson } from "../../codec/parse-json.ts";
import type { Answer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import { serverSideApply } from "./server-side-apply.ts";
import { checkMerged, checkPatched, notAnObject } from "../body/check-patched.ts";
import { fieldValidation } from "../options/field-validation.ts";
import { isDivisible } from "./managed-fields.ts";
import { partOf } from "../body/part.ts";
import { updateObject } from "./update-object.ts";
import { readWriteOptions } from "../options/write-options.ts";

/** More operations than this are refused, as a real server does. */
const mostOperations = 10_000;

/** Makes of an object what the patch wants it to be. */
type Patcher = (shown: UnstructuredObject) => UnstructuredObject;

/** PATCH of an object, or of a subresource of it. */
export async function patch(call: Call): Promise<Answer> {
  if (!isSpoken(call)) throw unsupported(call);
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

/** A version that the patch did not touch is no precondition: the patch fits any version. */
function withoutVersion(patched: UnstructuredObject, shown: UnstructuredObject): UnstructuredObject {
  if (patched.metadata.resourceVersion === shown.metadata.resourceVersion) delete patched.metadata.resourceVersion;
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

// What is not there can't be patched: a patch is read when the object is known.

function mergePatcher(call: Call): Patcher {
  return (shown) => {
    const patch = readPatch(call);
    if (patch === null) throw badRequest("Invalid JSON Patch");
    // Only who looks for duplicates reads it as an object.
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

function isSpoken(call: Call): boolean {
  const type = mediaType(call);
  return customTypes.includes(type) || (type === strategicType && !call.entry.resource.custom);
}

/** Built-in resources have routes, which know of no other types. */
function unsupported({ entry }: Call): ApiError {
  if (!entry.resource.custom) return new ApiError(failure("UnsupportedMediaType", "415: Unsupported Media Type", {}));
  const types = customTypes.join(", ");
  const message = `the body of the request was in an unknown format - accepted media types include: ${types}`;
  return new ApiError(failure("UnsupportedMediaType", message));
}

import { cloneJson } from "../../apimachinery/clone.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { ApiError, failure } from "../../apimachinery/status.ts";
import { applyJsonPatch, JsonPatchError, type JsonPatchOperation } from "../../apimachinery/patch/json-patch.ts";
import { applyMergePatch } from "../../apimachinery/patch/merge-patch.ts";
import { applyStrategicMergePatch } from "../../apimachinery/patch/strategic-merge.ts";
import { StrategicMergeError } from "../../apimachinery/patch/strategic-patch.ts";
import { forbidden } from "../../apimachinery/schema/field-error.ts";
import type { JsonSchema } from "../../apimachinery/schema/json-schema.ts";
import { badRequest, bareError, invalid } from "../refusals.ts";
import { jsonType } from "../codec/decode-body.ts";
import { parseJson } from "../codec/parse-json.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import { serverSideApply } from "./server-side-apply.ts";
import { isDryRun } from "./dry-run.ts";
import { tidyMeta } from "./object-meta.ts";
import { partOf } from "./part.ts";
import { checkCustomKind, decodeErrorOf } from "./read-body.ts";
import { pruneObject } from "./shape-object.ts";
import { updateObject } from "./update-object.ts";

/** More operations than this are refused, as a real server does. */
const mostOperations = 10_000;

type Patcher = (shown: UnstructuredObject) => unknown;

/** PATCH of an object, or of a subresource of it. */
export async function patch(call: Call): Promise<Answer> {
  if (call.name === "") throw badRequest("name must be provided");
  if (mediaType(call) === "application/apply-patch+yaml") return serverSideApply(call);
  const dryRun = isDryRun(call);
  if (call.query.has("force"))
    throw invalid({ group: "meta.k8s.io", kind: "PatchOptions" }, "", [
      forbidden("force", "may not be specified for non-apply patch"),
    ]);
  const patcher = patcherOf(call);
  const part = partOf(call);
  const apply = (live: UnstructuredObject): UnstructuredObject => {
    const shown = part.show(live);
    const patched = checked(call, patcher(shown));
    return part.write(withoutVersion(patched, shown), live);
  };
  const object = await updateObject(call, { apply, dryRun });
  return { type: "object", code: 200, body: part.show(object) };
}

/** A version that the patch did not touch is no precondition: the patch fits any version. */
function withoutVersion(patched: UnstructuredObject, shown: UnstructuredObject): UnstructuredObject {
  if (patched.metadata.resourceVersion === shown.metadata.resourceVersion) delete patched.metadata.resourceVersion;
  return patched;
}

/** A patched object is decoded like any other, with the patch to blame. */
function checked(call: Call, patched: unknown): UnstructuredObject {
  if (typeof patched !== "object" || patched === null || Array.isArray(patched)) throw unprocessable();
  const object = cloneJson(patched) as UnstructuredObject;
  const error = decodeErrorOf(call, object);
  if (error !== undefined) {
    const message = `Invalid value: ${JSON.stringify(JSON.stringify(object))}: ${error}`;
    throw invalid({ group: "", kind: "" }, "", [{ reason: "FieldValueInvalid", message, field: "patch" }]);
  }
  object.metadata ??= {};
  tidyMeta(object.metadata);
  if (call.subresource === "scale") return object;
  pruneObject(call, object, fieldsOfOtherVersion(call, object));
  if (call.entry.resource.custom) checkCustomKind(call, object);
  return object;
}

/** Of a version that a custom kind does not have, a real server knows no field; then it refuses the version. */
function fieldsOfOtherVersion(call: Call, object: UnstructuredObject): string[] {
  if (!call.entry.resource.custom || object.apiVersion === partOf(call).apiVersion) return [];
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...fields } = object;
  return Object.keys(fields).map((name) => `unknown field "${name}"`);
}

function mediaType({ request }: Call): string {
  const [type = ""] = (request.headers["content-type"] ?? "").split(";");
  return type.trim();
}

function patcherOf(call: Call): Patcher {
  switch (mediaType(call)) {
    case "application/json-patch+json":
      return jsonPatcher(readPatch(call));
    case "application/merge-patch+json":
      return mergePatcher(readPatch(call));
    case "application/strategic-merge-patch+json":
      if (call.entry.resource.custom) throw unsupported(call);
      return strategicPatcher(readPatch(call), call.subresource === "scale" ? {} : call.entry.resource.schema());
    default:
      throw unsupported(call);
  }
}

function readPatch(call: Call): unknown {
  try {
    return parseJson(new TextDecoder().decode(call.request.body));
  } catch (error) {
    throw badRequest(`error decoding patch: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function mergePatcher(patch: unknown): Patcher {
  return (shown) => applyMergePatch(shown, requireFields(patch));
}

function strategicPatcher(patch: unknown, schema: JsonSchema | undefined): Patcher {
  return (shown) => {
    try {
      return applyStrategicMergePatch(shown, requireFields(patch), schema);
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

function requireFields(patch: unknown): Record<string, unknown> {
  if (patch === null) throw badRequest("Invalid JSON Patch");
  if (typeof patch === "object" && !Array.isArray(patch)) return patch as Record<string, unknown>;
  const type = jsonType(patch);
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
  );
}

function jsonPatcher(operations: unknown): Patcher {
  if (!Array.isArray(operations) && operations !== null)
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonType(operations)} into Go value of type []handlers.jsonPatchOp`,
    );
  const list = (operations ?? []) as JsonPatchOperation[];
  if (list.length > mostOperations)
    throw new ApiError(
      failure(
        "RequestEntityTooLarge",
        `The allowed maximum operations in a JSON patch is ${mostOperations}, got ${list.length}`,
      ),
    );
  return (shown) => {
    try {
      return applyJsonPatch(shown, list);
    } catch (error) {
      if (error instanceof JsonPatchError) throw unprocessable();
      throw error;
    }
  };
}

function unprocessable(): ApiError {
  return new ApiError(failure("Invalid", "the server rejected our request due to an error in our request", {}));
}

const customTypes = "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml";
const builtinTypes = `${customTypes}, application/strategic-merge-patch+json`;

function unsupported(call: Call): ApiError {
  const types = call.entry.resource.custom ? customTypes : builtinTypes;
  const message = `the body of the request was in an unknown format - accepted media types include: ${types}`;
  return new ApiError(failure("UnsupportedMediaType", message));
}

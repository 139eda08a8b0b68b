import { cloneJson } from "../../apimachinery/clone.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { ApiError, failure } from "../../apimachinery/status.ts";
import { applyJsonPatch, JsonPatchError, type JsonPatchOperation } from "../../apimachinery/patch/json-patch.ts";
import { applyMergePatch } from "../../apimachinery/patch/merge-patch.ts";
import { badRequest } from "../refusals.ts";
import { parseJson } from "../codec/decode-body.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import { isDryRun } from "./dry-run.ts";
import { partOf } from "./part.ts";
import { pruneObject } from "./shape-object.ts";
import { updateObject } from "./update-object.ts";

/** More operations than this are refused, as a real server does. */
const mostOperations = 10_000;

type Patcher = (shown: UnstructuredObject) => unknown;

/** PATCH of an object, or of a subresource of it. */
export async function patch(call: Call): Promise<Answer> {
  const dryRun = isDryRun(call);
  const patcher = patcherOf(call);
  const part = partOf(call);
  const apply = (live: UnstructuredObject): UnstructuredObject => {
    const shown = part.show(live);
    const patched = cloneJson(patcher(shown)) as UnstructuredObject;
    if (part.kind === live.kind) pruneObject(call, patched);
    return part.write(withoutVersion(patched, shown), live);
  };
  const object = await updateObject(call, { apply, dryRun });
  return { type: "object", code: 200, body: part.show(object) };
}

/** A version that the patch did not touch is no precondition: the patch fits any version. */
function withoutVersion(patched: UnstructuredObject, shown: UnstructuredObject): UnstructuredObject {
  if (typeof patched !== "object" || patched === null) throw badRequest("the patched object is not an object");
  patched.metadata ??= {};
  if (patched.metadata.resourceVersion === shown.metadata.resourceVersion) delete patched.metadata.resourceVersion;
  return patched;
}

function patcherOf(call: Call): Patcher {
  const [type = ""] = (call.request.headers["content-type"] ?? "").split(";");
  switch (type.trim()) {
    case "application/json-patch+json":
      return jsonPatcher(readPatch(call));
    case "application/merge-patch+json":
      return mergePatcher(readPatch(call));
    default:
      throw unsupported(call);
  }
}

function readPatch(call: Call): unknown {
  try {
    return parseJson(new TextDecoder().decode(call.request.body));
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
}

function mergePatcher(patch: unknown): Patcher {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch))
    throw badRequest("error decoding patch: the patch is not an object");
  return (shown) => applyMergePatch(shown, patch);
}

function jsonPatcher(operations: unknown): Patcher {
  if (!Array.isArray(operations) && operations !== null) throw badRequest("error decoding patch: not a list");
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

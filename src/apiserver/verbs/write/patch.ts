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
import { jsonType } from "../../codec/decode-body.ts";
import { hasRepeatedKeys } from "../../codec/has-repeated-keys.ts";
import { bodyText, findDuplicates, parseJson, typedFindings, unknownField } from "../../codec/json.ts";
import type { Answer, Call } from "../request/call.ts";
import { serverSideApply } from "./server-side-apply.ts";
import { fieldValidation, readWriteOptions } from "../request/write-options.ts";
import { isDivisible } from "../object/managed-fields.ts";
import { partOf } from "../object/part.ts";
import { checkMerged, checkPatched, notAnObject } from "./check-patched.ts";
import { dropRepeatedOwners } from "../object/repeated-owners.ts";
import { writePart } from "./write-part.ts";
import { updateObject } from "./update-object.ts";

/** The most operations of a JSON patch, as in a real server. */
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
  let divisible = true;
  const apply = async (live: UnstructuredObject): Promise<UnstructuredObject> => {
    const shown = part.show(live);
    const patched = await patcher(shown);
    await call.turns.rest();
    divisible = isDivisible(call, patched);
    dropRepeatedOwners(call, patched, true);
    return writePart(call, { sent: withoutVersion(patched, shown), live, dryRun });
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
    if (isApiError(error)) throw error;
    throw badRequest(prefix + (error instanceof Error ? error.message : String(error)));
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
    const patch = readPatch(call);
    if (patch === null) throw badRequest("Invalid JSON Patch");
    // A search for duplicates would require an object.
    if (fieldValidation(call) === "Ignore") {
      if (Array.isArray(patch)) throw notAnObject(patch);
      if (typeof patch !== "object") throw badRequest("Invalid JSON Patch");
    }
    const patched = applyMergePatch(shown, requireFields(patch, decoding));
    const duplicates = duplicatesIn(call, patch);
    return checkPatched(call, patched, duplicates);
  };
}

function strategicPatcher(call: Call): Patcher {
  const schema = call.subresource === "scale" ? {} : call.entry.resource.schema();
  return (shown) => {
    const patch = requireFields(readPatch(call, "") ?? {}, "");
    try {
      const duplicates = duplicatesIn(call, patch);
      const patched = applyStrategicMergePatch(shown, patch, schema);
      return checkMerged(call, patched, { patch, duplicates });
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
      return checkPatched(call, patched, findingsIn(call, operations));
    } catch (error) {
      if (error instanceof JsonPatchLevelsError) throw tooLarge(error.message);
      if (error instanceof JsonPatchError) throw unprocessable();
      throw error;
    }
  };
}

/** The fields of an operation that are texts; a null counts as missing. */
const texts = new Set(["op", "path", "from"]);

function readOperations(call: Call): readonly JsonPatchOperation[] {
  const isTyped = fieldValidation(call) !== "Ignore";
  const mistyped = (value: unknown, target: string): ApiError =>
    badRequest(`${decoding}json: cannot unmarshal ${jsonType(value)} into Go ${target}`);
  const operations = readPatch(call) ?? [];
  if (!Array.isArray(operations)) throw mistyped(operations, "value of type []handlers.jsonPatchOp");
  for (const operation of operations) {
    if (operation !== null && !isObject(operation)) throw mistyped(operation, "value of type handlers.jsonPatchOp");
    for (const [name, value] of Object.entries(operation ?? {}))
      if (isTyped && texts.has(name) && value !== null && typeof value !== "string")
        throw mistyped(value, `struct field jsonPatchOp.${name} of type string`);
  }
  if (operations.length > mostOperations)
    throw tooLarge(`The allowed maximum operations in a JSON patch is ${mostOperations}, got ${operations.length}`);
  return operations.map((operation) => (operation ?? {}) as JsonPatchOperation);
}

const fields = new Set([...texts, "value"]);

/** Returns the findings about fields of the operations that are unknown, or there twice. */
function findingsIn(call: Call, operations: readonly JsonPatchOperation[]): string[] {
  const unknown = operations.flatMap((operation, index) =>
    Object.keys(operation).flatMap((name) => (fields.has(name) ? [] : [unknownField(`[${index}].${name}`)])),
  );
  const findings = [...duplicatesIn(call, operations), ...unknown];
  if (findings.length === 0 || fieldValidation(call) === "Ignore") return [];
  return typedFindings(bodyText(call.request.body), findings).map((finding) => `json patch ${finding}`);
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

import { cloneJson } from "../../../apimachinery/clone.ts";
import { invalidError } from "../../../apimachinery/invalid-error.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import { parseApiVersion } from "../../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { invalid as invalidField } from "../../../apimachinery/field-error.ts";
import { jsonType, withoutType } from "../../codec/decode-body.ts";
import { unprocessable } from "../../refusals.ts";
import { checkCustomKind, decodeErrorOf, pruneObject, typedErrorOf, typeErrorOf } from "../object/decode-object.ts";
import { checkCounts } from "../object/check-counts.ts";
import { partOf } from "../object/part.ts";
import { tidyMeta } from "../object/prepare-object.ts";
import type { Call } from "../request/call.ts";

/** Checks the result of a JSON or merge patch, which is decoded like any other text; errors name the patch. */
export function checkPatched(call: Call, patched: unknown, duplicates: readonly string[] = []): UnstructuredObject {
  const object = objectOf(call, patched);
  // An object of an unknown version is not decoded.
  const isDecoded = isCustom(call) || call.subresource === "scale" || Boolean(object.apiVersion);
  const error =
    typeMetaError(object) ?? builtinTypeError(call, object) ?? (isDecoded ? decodeErrorOf(call, object) : undefined);
  const text = JSON.stringify(object);
  const refuse = badPatch(() => text);
  if (error !== undefined) throw refuse(error);
  return completePatched(call, object, { duplicates, refuse });
}

/** Checks the result of a strategic merge patch, which cannot change the type of the object. */
export function checkMerged(
  call: Call,
  patched: unknown,
  { patch, duplicates }: { readonly patch: unknown; readonly duplicates: readonly string[] },
): UnstructuredObject {
  const object = objectOf(call, patched);
  const error = typedErrorOf(call, object);
  const refuse = badPatch(() => JSON.stringify(patch));
  if (error !== undefined) throw refuse(error);
  const { kind, apiVersion } = partOf(call);
  return completePatched(call, Object.assign(object, { kind, apiVersion }), { duplicates, refuse });
}

function objectOf(call: Call, patched: unknown): UnstructuredObject {
  if (!isObject(patched)) throw unprocessable();
  checkCounts(call, patched as UnstructuredObject);
  return cloneJson(patched) as UnstructuredObject;
}

/** Returns a refusal that shows the patch. */
function badPatch(show: () => string): (error: string) => Error {
  return (error) => invalidError({ group: "", kind: "" }, "", [invalidField("patch", show(), error)]);
}

/** Returns the refusal of a merge patch that is a list, which would replace the object. */
export function notAnObject(patched: readonly unknown[]): Error {
  return badPatch(() => JSON.stringify(patched))(withoutType(patched));
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
  tidyMeta(object.metadata, isCustom(call));
  if (call.subresource === "scale") return object;
  pruneObject(call, object, { duplicates: [...duplicates, ...unknown] }, refuse);
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

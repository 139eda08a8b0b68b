import { cloneJson } from "../../../apimachinery/clone.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import { parseApiVersion } from "../../../apimachinery/kind.ts";
import { invalid as invalidField } from "../../../apimachinery/schema/field-error.ts";
import { sortMembers } from "../../../apimachinery/sort-members.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { jsonType } from "../../codec/decode-body.ts";
import { goText } from "../../../apimachinery/go-text.ts";
import { invalid, unprocessable } from "../../refusals.ts";
import type { Call } from "../call/call.ts";
import { checkCustomKind, typeErrorOf } from "./check-type.ts";
import { tidyMeta } from "./object-meta.ts";
import { partOf } from "./part.ts";
import { decodeErrorOf, restoreErrorOf } from "./read-body.ts";
import { pruneObject } from "./shape-object.ts";

/** A JSON or merge patch makes a text, which is decoded like any other, with the patch to blame. */
export function checkPatched(call: Call, patched: unknown, duplicates: readonly string[] = []): UnstructuredObject {
  const object = objectOf(patched);
  // Of a version that nobody knows, nothing is decoded.
  const isDecoded = isCustom(call) || call.subresource === "scale" || Boolean(object.apiVersion);
  const error =
    typeMetaError(object) ?? builtinTypeError(call, object) ?? (isDecoded ? patchedError(call, object) : undefined);
  const refuse = badPatch(JSON.stringify(object));
  if (error !== undefined) throw refuse(error);
  return settled(call, object, { duplicates, refuse });
}

/** What a patch makes is a text with its members in order, of which the first error is told. */
function patchedError(call: Call, object: UnstructuredObject): string | undefined {
  if (decodeErrorOf(call, object) === undefined) return undefined;
  return decodeErrorOf(call, sortMembers(object) as UnstructuredObject);
}

/** A strategic merge patch is read into the live object, whose type it can't change. */
export function checkMerged(
  call: Call,
  patched: unknown,
  { patch, duplicates }: { readonly patch: unknown; readonly duplicates: readonly string[] },
): UnstructuredObject {
  const object = objectOf(patched);
  const error = restoreErrorOf(call, object);
  const refuse = badPatch(goText(patch));
  if (error !== undefined) throw refuse(error);
  const { kind, apiVersion } = partOf(call);
  return settled(call, Object.assign(object, { kind, apiVersion }), { duplicates, refuse });
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

/** A merge patch that is a list takes the place of the object, which then is none. */
export function notAnObject(patched: readonly unknown[]): Error {
  const type =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  const why = `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${type}`;
  return badPatch(JSON.stringify(patched))(why);
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

function settled(call: Call, object: UnstructuredObject, { duplicates, refuse }: Findings): UnstructuredObject {
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

/** Of a version that a custom kind does not have, or of none, a real server knows no field; then it refuses the object. */
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

import { cloneJson } from "../../../apimachinery/clone.ts";
import { invalid as invalidField } from "../../../apimachinery/field-error.ts";
import { invalidError } from "../../../apimachinery/invalid-error.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { badRequest, unprocessable } from "../../refusals.ts";
import { checkCounts } from "../object/check-counts.ts";
import { checkCustomKind, decodeErrorOf, isOfCustomKind, pruneObject, typeErrorOf } from "../object/decode-object.ts";
import { partOf } from "../object/part.ts";
import { tidyMeta } from "../object/prepare-object.ts";
import type { Call } from "../request/call.ts";

/**
 * Checks the result of a patch, which is decoded like any other text. A strategic merge patch, which errors show, cannot
 * change the type.
 */
export function checkPatched(
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
  if (error !== undefined) throw refuse(error);
  if (!isCustom) Object.assign(object, { kind, apiVersion });
  object.metadata ??= {};
  tidyMeta(object.metadata, isCustom);
  if (call.subresource === "scale") return object;
  pruneObject(call, object, { duplicates }, refuse);
  if (isCustom) checkCustomKind(call, object);
  return object;
}

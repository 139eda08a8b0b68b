import {
  forbidden,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from "../../../apimachinery/schema/field-error.ts";
import { invalid } from "../../refusals.ts";
import type { Call } from "../call/call.ts";
import { fieldValidationErrors } from "./field-validation.ts";
import { optionsKind } from "./options-kind.ts";

const longestManager = 128;

/** The options of a create, update, patch or apply, which come as query parameters. */
export interface WriteOptions {
  readonly dryRun: boolean;
}

/** Reads the options of a write and refuses bad ones, all findings at once. */
export function readWriteOptions(call: Call, isApply = false): WriteOptions {
  const { query } = call;
  const dryRun = query.getAll("dryRun");
  const causes = [
    ...(call.request.method === "PATCH" ? patchErrors(query, isApply) : []),
    ...managerErrors(query.get("fieldManager") ?? ""),
    ...dryRunErrors(dryRun),
    ...fieldValidationErrors(query),
  ];
  if (causes.length) throw invalid({ group: "meta.k8s.io", kind: optionsKind(call) }, "", causes);
  return { dryRun: dryRun.length > 0 };
}

/** `All` is the only way to try a write. */
export function dryRunErrors(values: readonly unknown[]): FieldError[] {
  if (values.every((value) => value === "All")) return [];
  return [notSupported("dryRun", values, ["All"])];
}

function patchErrors(query: URLSearchParams, isApply: boolean): FieldError[] {
  if (!isApply) return query.has("force") ? [forbidden("force", "may not be specified for non-apply patch")] : [];
  return query.get("fieldManager") ? [] : [required("fieldManager", "is required for apply patch")];
}

function managerErrors(manager: string): FieldError[] {
  const errors = Buffer.byteLength(manager) > longestManager ? [tooLong("fieldManager", longestManager)] : [];
  const letters = Array.from(manager);
  const at = letters.findIndex((letter) => !/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(letter));
  if (at < 0) return errors;
  const code = letters[at]!.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const message = `Invalid value: ${goQuoted(manager)}: invalid character U+${code} (at position ${at})`;
  return [...errors, { reason: "FieldValueInvalid", message, field: "fieldManager" }];
}

/** Go writes control characters in another way than JSON. */
function goQuoted(text: string): string {
  return JSON.stringify(text).replace(/\\u00([0-7][0-9a-f])/g, "\\x$1");
}

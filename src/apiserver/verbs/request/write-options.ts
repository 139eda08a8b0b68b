import { invalidError } from "../../../apimachinery/invalid-error.ts";
import {
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from "../../../apimachinery/field-error.ts";
import { badRequest } from "../../refusals.ts";
import type { Call } from "./call.ts";

const longestManager = 128;

/** The options of a create, update, patch or apply, which come as query parameters. */
export interface WriteOptions {
  readonly dryRun: boolean;
}

/** Reads the options of a write. Refuses invalid ones, with all findings at once. */
export function readWriteOptions(call: Call, isApply = false): WriteOptions {
  const { query } = call;
  const dryRun = query.getAll("dryRun");
  const causes = [
    ...(call.request.method === "PATCH" ? patchErrors(query, isApply) : []),
    ...managerErrors(query.get("fieldManager") ?? ""),
    ...dryRunErrors(dryRun),
    ...fieldValidationErrors(query),
  ];
  if (causes.length) throw invalidError({ group: "meta.k8s.io", kind: optionsKind(call) }, "", causes);
  return { dryRun: dryRun.length > 0 };
}

/** Returns the findings about `dryRun`, whose only value is `All`. */
export function dryRunErrors(values: readonly unknown[]): FieldError[] {
  if (values.every((value) => value === "All")) return [];
  return [notSupported("dryRun", values, ["All"])];
}

function patchErrors(query: URLSearchParams, isApply: boolean): FieldError[] {
  if (!isApply) return query.has("force") ? [forbidden("force", "may not be specified for non-apply patch")] : [];
  return query.get("fieldManager") ? [] : [required("fieldManager", "is required for apply patch")];
}

function managerErrors(manager: string): FieldError[] {
  const isLong = Buffer.byteLength(manager) > longestManager;
  const isPrintable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(manager);
  return [
    ...(isLong ? [tooLong("fieldManager", longestManager)] : []),
    ...(isPrintable ? [] : [invalid("fieldManager", manager, "must be of printable characters")]),
  ];
}

type FieldValidation = "Ignore" | "Warn" | "Strict";

const wishes = ["", "Ignore", "Strict", "Warn"];

/** Returns the findings about `fieldValidation`. */
function fieldValidationErrors(query: URLSearchParams): FieldError[] {
  const wish = query.get("fieldValidation") ?? "";
  return wishes.includes(wish) ? [] : [notSupported("fieldValidation", wish, wishes)];
}

/** Returns the client's choice for unknown and duplicate fields. */
export function fieldValidation({ query }: Call): FieldValidation {
  const wish = query.get("fieldValidation");
  return wish === "Ignore" || wish === "Strict" ? wish : "Warn";
}

/**
 * Reports findings such as `unknown field "spec.x"` as the client chose: not, as warnings, or as a refusal, by default
 * of the body.
 */
export function reportFields(
  call: Call,
  object: { kind?: unknown },
  findings: readonly string[],
  refuse: (why: string) => Error = (why) => badBody(call, object, why),
): void {
  if (findings.length === 0) return;
  const wish = fieldValidation(call);
  // A retried patch has the same findings again.
  if (wish === "Warn") call.warnings.push(...findings.filter((finding) => !call.warnings.includes(finding)));
  if (wish !== "Strict") return;
  throw refuse(`strict decoding error: ${findings.join(", ")}`);
}

function badBody(call: Call, object: { kind?: unknown }, why: string): Error {
  const { kind, version } = call.entry.resource;
  const name = typeof object.kind === "string" && object.kind ? object.kind : kind;
  return badRequest(`${name} in version "${version}" cannot be handled as a ${kind}: ${why}`);
}

/** Returns the kind of a request's options, for refusals. */
function optionsKind({ request }: Call): string {
  return kinds[request.method] ?? "DeleteOptions";
}

const kinds: Readonly<Record<string, string>> = { POST: "CreateOptions", PUT: "UpdateOptions", PATCH: "PatchOptions" };

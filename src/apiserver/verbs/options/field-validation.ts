import { notSupported, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import { badRequest } from "../../refusals.ts";
import type { Call } from "../call/call.ts";

export type FieldValidation = "Ignore" | "Warn" | "Strict";

const wishes = ["", "Ignore", "Strict", "Warn"];

/** A wish that a server does not know. */
export function fieldValidationErrors(query: URLSearchParams): FieldError[] {
  const wish = query.get("fieldValidation") ?? "";
  return wishes.includes(wish) ? [] : [notSupported("fieldValidation", wish, wishes)];
}

/** What the client wants to hear of unknown and duplicate fields. */
export function fieldValidation({ query }: Call): FieldValidation {
  const wish = query.get("fieldValidation");
  return wish === "Ignore" || wish === "Strict" ? wish : "Warn";
}

/**
 * Passes findings such as `unknown field "spec.x"` on as the client wants it: not at all, as warnings, as a refusal,
 * which is one of the body unless it says otherwise.
 */
export function reportFields(
  call: Call,
  object: { kind?: unknown },
  findings: readonly string[],
  refuse: (why: string) => Error = (why) => badBody(call, object, why),
): void {
  if (findings.length === 0) return;
  const wish = fieldValidation(call);
  // A retried patch finds the same again.
  if (wish === "Warn") call.warnings.push(...findings.filter((finding) => !call.warnings.includes(finding)));
  if (wish === "Strict") throw refuse(`strict decoding error: ${findings.join(", ")}`);
}

function badBody(call: Call, object: { kind?: unknown }, why: string): Error {
  const { kind, version } = call.entry.resource;
  const name = typeof object.kind === "string" && object.kind ? object.kind : kind;
  return badRequest(`${name} in version "${version}" cannot be handled as a ${kind}: ${why}`);
}

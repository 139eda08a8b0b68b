import { badRequest, invalid } from "../refusals.ts";
import type { Call } from "./call.ts";

export type FieldValidation = "Ignore" | "Warn" | "Strict";

const kinds: Readonly<Record<string, string>> = { POST: "CreateOptions", PUT: "UpdateOptions", PATCH: "PatchOptions" };

/** What the client wants to hear of unknown and duplicate fields. */
export function fieldValidation(call: Call): FieldValidation {
  const wish = call.query.get("fieldValidation") || "Warn";
  if (wish === "Ignore" || wish === "Warn" || wish === "Strict") return wish;
  const message = `Unsupported value: "${wish}": supported values: "", "Ignore", "Strict", "Warn"`;
  const kind = kinds[call.request.method] ?? "UpdateOptions";
  throw invalid({ group: "meta.k8s.io", kind }, "", [
    { reason: "FieldValueNotSupported", message, field: "fieldValidation" },
  ]);
}

/** Passes findings such as `unknown field "spec.x"` on as the client wants it: not at all, as warnings, as a refusal. */
export function reportFields(call: Call, object: { kind?: unknown }, findings: readonly string[]): void {
  if (findings.length === 0) return;
  const wish = fieldValidation(call);
  // A retried patch finds the same again.
  if (wish === "Warn") call.warnings.push(...findings.filter((finding) => !call.warnings.includes(finding)));
  if (wish !== "Strict") return;
  const { kind, version } = call.entry.resource;
  const name = typeof object.kind === "string" && object.kind ? object.kind : kind;
  throw badRequest(
    `${name} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${findings.join(", ")}`,
  );
}

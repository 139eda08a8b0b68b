import type { RecordedAnswer } from "./apiserver/run-scenario.ts";

/** Scenarios whose messages and warnings are compared: users wrote them, in rules, policies and webhooks. */
const wordsOfUsers = new Set([
  "admission",
  "admission-of-other-versions",
  "admission-of-parts",
  "admission-patterns",
  "cel",
  "dry-run-mutating-none",
  "dry-run-mutating-noneondryrun",
  "dry-run-validating-none",
  "dry-run-validating-noneondryrun",
  "field-validation",
  "no-op-parts",
  "no-op-webhooks",
  "policies-of-parts",
  "policy-actions",
  "policy-expressions",
  "policy-messages",
  "policy-params",
  "rules-root",
  "rules-urls",
  "webhooks-built-in-versions",
  "webhooks-equivalent",
  "webhooks-mutating",
  "webhooks-paths",
  "webhooks-request",
  "webhooks-services",
  "webhooks-validating",
]);

/** Returns the part of answers that is compared: what the contract promises, and the words of users. */
export function promised(scenario: string, answers: readonly RecordedAnswer[]): unknown {
  return wordsOfUsers.has(scenario) ? answers : withoutWords(answers);
}

/**
 * Reduces answers to what the embedded server promises (ARCHITECTURE.md, "The contract of the server"): the verdict,
 * the status, the reason and the fields of each error, and objects, events and defaults. Drops messages and warnings,
 * the order of errors and their repetition.
 */
export function withoutWords(answers: readonly RecordedAnswer[]): unknown[] {
  return answers.map(({ warnings: _warnings, body, ...answer }) => {
    const isText = typeof body === "string" && (answer.status ?? 0) >= 400;
    return strip({ ...answer, ...(body !== undefined && { body: isText ? "<words>" : body }) });
  });
}

/** Objects whose `message` is written by a server: Status, conditions, events, states of containers. */
const speakers = ["reason", "lastTransitionTime", "code", "causes", "details", "reportingComponent"];

/** Annotations in which autoscaling/v1 keeps what only v2 has, as JSON. */
const ownForm = "autoscaling.alpha.kubernetes.io/";

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== "object" || value === null) return value;
  const named = Object.entries(value).filter(([name]) => !name.startsWith(ownForm));
  const entries = named.map(([name, child]) => [
    name,
    name === "causes" && Array.isArray(child) ? fieldsOf(child) : strip(child),
  ]);
  const fields = Object.fromEntries(entries) as Record<string, unknown>;
  const isSpeaker = Object.keys(fields).length === 1 || speakers.some((name) => name in fields);
  if (isSpeaker && typeof fields["message"] === "string") delete fields["message"];
  if (typeof fields["note"] === "string") delete fields["note"];
  // Why a review of access allows or refuses.
  if ("allowed" in fields && typeof fields["reason"] === "string") delete fields["reason"];
  // Of a media type that a server does not write; only some of its handlers add empty ones.
  if (fields["reason"] === "NotAcceptable") delete fields["details"];
  // No client reads it.
  delete fields["storageVersionHash"];
  // Of a column; clients do not show it.
  if ("priority" in fields && "format" in fields) delete fields["description"];
  return fields;
}

/** Returns each field once, and the reasons of causes that clients act on, such as DisruptionBudget. */
function fieldsOf(causes: readonly { field?: string; reason?: string }[]): string[] {
  const texts = causes.map(({ field, reason = "" }) =>
    field !== undefined && reason.startsWith("FieldValue") ? field : [reason, field].join(" "),
  );
  return [...new Set(texts)].toSorted();
}

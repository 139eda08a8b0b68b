import { TsopError } from "../../errors/tsop-error.ts";
import { parseDocuments } from "../../client/manifests/parse-documents.ts";
import { keyOf } from "../oracles/violation.ts";
import { relatedClasses, type Finding } from "./finding.ts";

/** A finding that is known, and why it stays. */
export interface AcceptedFinding {
  readonly finding: string;
  readonly reason: string;
}

/** Names a finding in a way that is the same in the next run: its class, its rule and its subject. */
export function nameOf(finding: Finding): string {
  return `${finding.class}: ${keyOf(finding.violation)}`;
}

/**
 * Returns the reason why a finding is accepted, under its own name or under the name of a class that shows it as well.
 */
export function reasonToAccept(finding: Finding, accepted: readonly AcceptedFinding[]): string | undefined {
  const key = keyOf(finding.violation);
  const names = [finding.class, ...finding.also].flatMap(relatedClasses).map((name) => `${name}: ${key}`);
  return accepted.find((entry) => names.includes(entry.finding))?.reason;
}

/** Reads a list of known findings, each with a reason. */
export function parseAccepted(text: string, file: string): AcceptedFinding[] {
  const refuse = (reason: string): never => {
    const fix =
      'write a list of entries such as\n  - finding: "crash: wrong-state apps/deployments missing"\n    reason: fixed with issue 12';
    throw new TsopError("TSOP_CHECK_FILE_INVALID", { file, reason, fix });
  };
  const [entries] = parseDocuments(text, file);
  if (!Array.isArray(entries)) return refuse("it is not a list");
  return entries.map((entry: unknown, index) => {
    const { finding, reason } = (entry ?? {}) as Partial<AcceptedFinding>;
    if (typeof finding !== "string" || finding === "") return refuse(`entry ${index + 1} names no finding`);
    if (typeof reason !== "string" || reason.trim() === "") return refuse(`“${finding}” has no reason`);
    return { finding, reason };
  });
}

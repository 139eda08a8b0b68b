import { describeDifference } from "../oracles/describe-difference.ts";
import type { Oracle } from "../oracles/violation.ts";
import type { RecordedRequest } from "../world/run-record.ts";
import type { Finding } from "./finding.ts";

const mostDifferences = 8;
const mostRequests = 12;
const mostLines = 15;
/** What the lines of a violation are, if they are not of the operator's log. */
const titles: Readonly<Partial<Record<Oracle, string>>> = { "api-break": "changes", conversion: "repeated by" };

/** Formats a finding for people: the rule, the fault, the requests that matter, the difference, the command that repeats it. */
export function formatFinding(finding: Finding, number: number, replay: string | undefined): string {
  const { violation, plan, plans, also } = finding;
  const most = violation.oracle === "conversion" ? Infinity : mostLines;
  const { hint, requests = [], differences = [], lines = [] } = violation;
  return [
    `${number}. ${finding.class}: ${violation.sentence}`,
    `   when        ${plan.description}`,
    ...(plans > 1 ? [`   shown by    ${plans} runs; the shortest is ${plan.id}`] : [`   shown by    ${plan.id}`]),
    ...(also.length > 0 ? [`   also        ${also.join(", ")}: the cause is the same`] : []),
    ...(hint === undefined ? [] : [`   hint        ${hint}`]),
    ...section(
      "differences",
      differences.slice(0, mostDifferences).map(describeDifference),
      differences.length - mostDifferences,
    ),
    ...section("requests", requests.slice(-mostRequests).map(formatRequest), 0),
    ...section(titles[violation.oracle] ?? "log", lines.slice(0, most), lines.length - most),
    ...(replay === undefined ? [] : [`   replay      ${replay}`]),
    "",
  ].join("\n");
}

function section(title: string, lines: readonly string[], left: number): string[] {
  if (lines.length === 0) return [];
  const more = left > 0 ? [`      and ${left} more`] : [];
  return [`   ${title}`, ...lines.map((line) => `      ${line}`), ...more];
}

function formatRequest({ at, by, signature, status, changes, fault, message }: RecordedRequest): string {
  const effect = status >= 400 ? (message ?? "") : changes.length === 0 ? "changes nothing" : "";
  const notes = [fault && `← ${fault}`, effect].filter(Boolean).join("; ");
  return `${String(at).padStart(6)} ms  ${by.padEnd(8)}  ${signature}  ${status}${notes && `  ${notes}`}`;
}

import { faultClasses } from "../plans/plan.ts";
import type { CheckResult } from "../run-check.ts";
import type { Finding } from "./finding.ts";
import { formatFinding } from "./format-text.ts";

/**
 * Formats a result as JUnit XML: a test case for each class of faults and for each rule that is broken. A class of which
 * no run was judged, such as one that never reached its fault, is skipped.
 */
export function formatJunit({ findings, judged, milliseconds }: CheckResult): string {
  const names = [...new Set<string>([...faultClasses, ...findings.map((finding) => finding.class)])];
  const cases = names.map((name) =>
    formatCase(
      name,
      findings.filter((finding) => finding.class === name),
      (judged as readonly string[]).includes(name),
    ),
  );
  const failed = names.filter((name) => findings.some((finding) => finding.class === name));
  const skipped = names.filter((name) => !failed.includes(name) && !(judged as readonly string[]).includes(name));
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="tsop check" tests="${names.length}" failures="${failed.length}" skipped="${skipped.length}" time="${(milliseconds / 1000).toFixed(3)}">
${cases.join("\n")}
</testsuite>
`;
}

function formatCase(name: string, findings: readonly Finding[], isJudged: boolean): string {
  const [first] = findings;
  const start = `  <testcase classname="tsop check" name="${escape(name)}"`;
  if (!first) return isJudged ? `${start}/>` : `${start}><skipped message="no run was judged"/></testcase>`;
  const text = findings.map((finding, index) => formatFinding(finding, index + 1, undefined)).join("\n");
  return `${start}>\n    <failure message="${escape(first.violation.sentence)}">${escape(text)}</failure>\n  </testcase>`;
}

/** Escapes a text for XML, which has no control characters but line breaks and tabs. */
function escape(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (sign) => entities[sign]!).replace(/(?![\n\r\t])\p{Cc}/gu, "\ufffd");
}

import { formatFinding, type Finding } from "./finding.ts";

/** Formats findings as lines of text, or as operator-sdk's JSON. */
export function formatFindings(findings: readonly Finding[], format: "text" | "json-alpha1"): string {
  if (format === "text") return findings.map((finding) => `${formatFinding(finding)}\n`).join("");
  const outputs = findings.map((finding) => ({ type: finding.level, message: formatFinding(finding) }));
  const passed = findings.every(({ level }) => level !== "error");
  return `${JSON.stringify({ passed, outputs: outputs.length > 0 ? outputs : null }, null, 4)}\n`;
}

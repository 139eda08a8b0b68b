import { formatFinding, type Finding } from "./finding.ts";
import { optionalValidators } from "./validators.ts";

/** The findings as lines for people, or in operator-sdk's JSON. */
export function formatFindings(findings: readonly Finding[], format: "text" | "json-alpha1"): string {
  if (format === "text") return findings.map((finding) => `${formatFinding(finding)}\n`).join("");
  const outputs = findings.map((finding) => ({ type: finding.level, message: formatFinding(finding) }));
  const passed = findings.every(({ level }) => level !== "error");
  return `${JSON.stringify({ passed, outputs: outputs.length > 0 ? outputs : null }, null, 4)}\n`;
}

/** The table of the validators that `--select-optional` chooses from. */
export function formatValidators(): string {
  const rows = optionalValidators.flatMap(({ name, labels, description }) =>
    Object.entries(labels).map(([key, value], index) =>
      index === 0 ? [name, `${key}=${value}`, description] : ["", `${key}=${value}`, ""],
    ),
  );
  const table = [["NAME", "LABELS", "DESCRIPTION"], ...rows];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => row[column]!.length)) + 3);
  const line = ([name = "", label = "", description = ""]: string[]): string =>
    `${name.padEnd(widths[0]!)}${label.padEnd(widths[1]!)}${description}`.trimEnd();
  return `${table.map(line).join("\n")}\n`;
}

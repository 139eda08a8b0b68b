import { differencesOf, namesOf, countsOf, headOf, titleOf } from "./format-text.ts";
import { isUnchanged, type PlanReport } from "./make-report.ts";

/** A comment of a pull request has at most 65,536 characters. */
const mostCharacters = 60_000;

/** Formats a report as a comment of a pull request. */
export function formatMarkdown(report: PlanReport, verbose: boolean): string {
  const { failures, breaks, missing, groups, notes } = report;
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`#### ${title}\n\n${lines.map((line) => `- ${code(line)}`).join("\n")}`];
  const parts = [
    `### Plan\n\n${text(headOf(report))}`,
    isUnchanged(report) ? "No changes." : `**${countsOf(report)}**`,
    ...groups.map((group) => {
      const names = namesOf(group, verbose).map(code).join(", ");
      const blocks = differencesOf(group, verbose).map((difference) => fenced(difference));
      return [`#### ${text(titleOf(group))}`, names, ...blocks].join("\n\n");
    }),
    ...failures.flatMap(({ title, lines }) => list(`fails: ${title}`, lines)),
    ...list("CRDs", breaks),
    ...list("not copied, so that nothing is known about it", missing),
    ...list("notes", notes),
  ];
  const whole = parts.join("\n\n");
  if (whole.length <= mostCharacters) return `${whole}\n`;
  // A part that is cut in the middle would leave a block open.
  const kept: string[] = [];
  for (const part of parts) {
    if (kept.join("\n\n").length + part.length > mostCharacters) break;
    kept.push(part);
  }
  return `${[...kept, "The rest is too long for a comment."].join("\n\n")}\n`;
}

/** Shows a text as code on one line: names of objects must not become markup. */
function code(content: string): string {
  const line = content.replaceAll(/[\n\r]+/g, " ");
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

function fenced(content: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}diff\n${content}\n${fence}`;
}

/** Escapes what Markdown and HTML would take as markup. */
function text(content: string): string {
  return content.replaceAll(/[\\`*_[\]<>&#|]/g, String.raw`\$&`);
}

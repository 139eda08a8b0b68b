import type { CrdChange } from "../../apimachinery/crd/compare-crds.ts";
import { verdicts, type Verdict } from "../../apimachinery/crd/compare-schemas.ts";
import { groupBy } from "../../apimachinery/group-by.ts";

/** How the changes of CRDs are shown. */
export const changeFormats = ["text", "json", "markdown", "github"] as const;
export type ChangeFormat = (typeof changeFormats)[number];

/** Formats changes, the worst ones of each CRD first. */
export function formatChanges(changes: readonly CrdChange[], format: ChangeFormat): string {
  const sorted = verdicts.toReversed().flatMap((verdict) => changes.filter((change) => change.verdict === verdict));
  return formatters[format](sorted);
}

const formatters: Readonly<Record<ChangeFormat, (changes: readonly CrdChange[]) => string>> = {
  text: (changes) => `${[...formatText(changes), countChanges(changes)].join("\n")}\n`,
  json: (changes) => `${JSON.stringify({ changes }, undefined, 2)}\n`,
  markdown: formatMarkdown,
  github: (changes) => changes.map(formatAnnotation).join(""),
};

function formatText(changes: readonly CrdChange[]): string[] {
  const byCrd = [...groupBy(changes, ({ crd }) => crd)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byCrd.flatMap(([crd, own]) => [
    crd,
    ...own.flatMap(({ version, change, verdict, reason }) => [
      `  ${verdict}: ${version === undefined ? "" : `${version} `}${change}`,
      `    ${reason}`,
    ]),
  ]);
}

/** Returns a line such as `3 changes: 1 loses stored data, 2 safe`. */
function countChanges(changes: readonly CrdChange[]): string {
  if (changes.length === 0) return "no changes";
  const counts = verdicts.toReversed().flatMap((verdict) => {
    const count = changes.filter((change) => change.verdict === verdict).length;
    return count > 0 ? [`${count} ${count === 1 ? verdict : plural[verdict]}`] : [];
  });
  return `${changes.length} ${changes.length === 1 ? "change" : "changes"}: ${counts.join(", ")}`;
}

const plural: Readonly<Record<Verdict, string>> = {
  safe: "safe",
  "breaks readers": "break readers",
  "breaks writers": "break writers",
  "loses stored data": "lose stored data",
};

function formatMarkdown(changes: readonly CrdChange[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const rows = changes.map(
    ({ crd, version, change, verdict, reason }) =>
      `| ${[verdict, `${crd}${version === undefined ? "" : ` ${version}`}`, `\`${change}\``, reason].map(cell).join(" | ")} |`,
  );
  const table = rows.length > 0 ? ["", "| verdict | CRD | change | reason |", "|---|---|---|---|", ...rows] : [];
  return `${[`**${countChanges(changes)}**`, ...table].join("\n")}\n`;
}

const levels: Readonly<Record<Verdict, string>> = {
  safe: "notice",
  "breaks readers": "warning",
  "breaks writers": "error",
  "loses stored data": "error",
};

/** Formats a change as a line that GitHub shows as an annotation. */
function formatAnnotation({ crd, version, change, verdict, reason }: CrdChange): string {
  const escape = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const title = escape(`${crd}${version === undefined ? "" : ` ${version}`} ${verdict}`).replaceAll(/[:,]/g, encode);
  return `::${levels[verdict]} title=${title}::${escape(`${change}. ${reason}`)}\n`;
}

function encode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

import { groupBy } from "../../apimachinery/group-by.ts";
import { formatRbac } from "../../codegen/markers/package.ts";
import { isUnused, type RoleReport, type VerbReport } from "./role-report.ts";
import { titleOf, withReads } from "./widths.ts";

/** The number of findings of each kind. */
export interface RoleCounts {
  readonly unused: number;
  readonly missing: number;
  readonly wider: number;
}

/** Counts what a report has to say. */
export function countFindings({ rules, missing }: RoleReport): RoleCounts {
  const unused = rules.flatMap(({ verbs }) => verbs.filter(isUnused)).length;
  return { unused, missing: missing.length, wider: rules.flatMap(({ wider }) => wider).length };
}

/** Returns a line such as `3 verbs never used, 1 missing`; empty if the role fits. */
export function formatCounts({ unused, missing, wider }: RoleCounts): string {
  return [
    ...(unused > 0 ? [`${unused} ${unused === 1 ? "verb" : "verbs"} never used`] : []),
    ...(missing > 0 ? [`${missing} missing`] : []),
    ...(wider > 0 ? [`${wider} wider than needed`] : []),
  ].join(", ");
}

/** Formats a report for a terminal. */
export function formatRoles(report: RoleReport): string {
  const { runs, rules, missing } = report;
  const inRuns = `in ${runs} ${runs === 1 ? "run" : "runs"}`;
  const ofRules = rules.flatMap(({ granted, verbs, wider }) => [
    `${granted.place}: ${titleOfRule(granted.rule)}`,
    ...[...groupBy(verbs, (each) => `${each.resource}: ${describe(each, inRuns)}`)].map(
      ([description, own]) => `  ${own.map(({ verb }) => verb).join(", ")} ${description}`,
    ),
    ...wider.map(({ text }) => `  wider than needed: ${text}`),
  ]);
  const ofMissing = missing.flatMap(({ example, ...needed }) => [
    `missing: ${needed.verbs.join(", ")} ${titleOf(needed)}, for ${example}`,
    `  add to a controller: // ${formatRbac({ ...needed, verbs: withReads(needed.verbs) })}`,
  ]);
  const summary = formatCounts(countFindings(report)) || "the role fits";
  return `${[...ofRules, ...ofMissing, `${inRuns}: ${summary}`].join("\n")}\n`;
}

function describe(verb: VerbReport, inRuns: string): string {
  if (isUnused(verb)) return `never used ${inRuns}`;
  if (verb.kept !== undefined) return `not used, but ${verb.kept}`;
  return verb.requests === 1 ? `1 request: ${verb.example}` : `${verb.requests} requests, the first ${verb.example}`;
}

function titleOfRule({
  apiGroups = [],
  resources,
  nonResourceURLs = [],
  resourceNames,
}: RoleReport["rules"][0]["granted"]["rule"]): string {
  if (!resources) return nonResourceURLs.join(", ");
  const groups = apiGroups.map((group) => group || "core").join(", ");
  return `${resources.join(", ")} of ${groups}${resourceNames?.length ? `, named ${resourceNames.join(", ")}` : ""}`;
}

/** Formats a report for programs. */
export function formatRolesJson(report: RoleReport): string {
  const rules = report.rules.map(({ granted: { place, role, namespaces, rule }, verbs, wider }) => ({
    place,
    role,
    ...(namespaces && { namespaces }),
    rule,
    verbs: verbs.map((each) => ({ ...each, unused: isUnused(each) })),
    wider: wider.map(({ text }) => text),
  }));
  return `${JSON.stringify({ ...report, rules, counts: countFindings(report) }, undefined, 2)}\n`;
}

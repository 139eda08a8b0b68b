import type { Group } from "./group-entries.ts";
import { isUnchanged, type PlanReport } from "./make-report.ts";

export interface TextOptions {
  /** Shows every object and every line. */
  readonly verbose: boolean;
  /** Colours differences as git does. */
  readonly colored: boolean;
}

const mostNames = 3;
const mostLines = 40;

/** Formats a report for a terminal: the worst comes first, and the last line counts. */
export function formatText(report: PlanReport, options: TextOptions): string {
  const { failures, breaks, missing, uncalled, notes } = report;
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`${title}\n${lines.map((line) => `  ${line.replaceAll("\n", "\n    ")}\n`).join("")}`];
  const parts = [
    `${headOf(report)}\n`,
    ...report.groups.map((group) => groupText(group, options)),
    ...failures.flatMap(({ title, lines }) => section(`fails: ${title}`, lines)),
    ...section("CRDs", breaks),
    ...section("not copied, so that nothing is known about it", missing),
    ...section("webhooks of others, which were not called", options.verbose ? uncalled : summaryOf(uncalled)),
    ...section("notes", notes),
    `${isUnchanged(report) ? "no change: " : ""}${countsOf(report)}\n`,
  ];
  return parts.join("\n");
}

/** Returns the title of a group: `restarts pods: 3 of 40 StatefulSets (9 pods)`. */
export function titleOf({ effect, kind, names, of, pods, by }: Group): string {
  const whole = effect === "creates" ? "" : ` of ${of}`;
  const restarts = effect === "restarts pods" ? ` (${count(pods, "pod")})` : "";
  const author = by === "operator" ? "" : by === "user" ? ", by the manifests" : ", by the cluster";
  return `${effect}: ${names.length}${whole} ${plural(kind, whole === "" ? names.length : of)}${restarts}${author}`;
}

/** Returns the names of a group, and of what is deleted with its objects. */
export function namesOf({ names, owned }: Group, all: boolean): string[] {
  const shown = (each: readonly string[]): string[] => {
    const first = all ? each : each.slice(0, mostNames);
    const more = each.length - first.length;
    return [...first, ...(more > 0 ? [`… and ${more} more`] : [])];
  };
  return [...shown(names), ...shown(owned).map((each) => (each.startsWith("…") ? each : `with it: ${each.trim()}`))];
}

/** Returns the first line of a report, which names the cluster. */
export function headOf({ cluster, objects, takenAt, namespace }: PlanReport): string {
  const part = namespace === undefined ? "" : `namespace ${namespace} of `;
  return `plan for ${part}${cluster}: ${count(objects, "object")}, copied at ${takenAt}`;
}

/** Returns the last line of a report. */
export function countsOf({ counts }: PlanReport): string {
  const changed = counts["restarts pods"] + counts["changes"] + counts["changes the status of"];
  const replaced = counts["replaces"] > 0 ? [`${counts["replaces"]} to replace`] : [];
  const details = [
    ...(counts["restarts pods"] > 0
      ? [`${counts["restarts pods"]} restart${counts["restarts pods"] === 1 ? "s" : ""} pods`]
      : []),
    ...(counts["changes the status of"] > 0 ? [`${counts["changes the status of"]} only in their status`] : []),
  ];
  const unknown = counts["may change"] > 0 ? [`${counts["may change"]} may change`] : [];
  return [
    `${counts["creates"]} to create`,
    `${changed} to change${details.length > 0 ? ` (${details.join(", ")})` : ""}`,
    ...unknown,
    ...replaced,
    `${counts["deletes"] + counts["deletes data"]} to delete`,
  ].join(", ");
}

/** Returns the differences to show: by default, only the difference of the first object. */
export function differencesOf(group: Group, all: boolean): string[] {
  const shown: string[] = [];
  for (const difference of group.differences()) {
    if (difference === "") continue;
    const lines = difference.trimEnd().split("\n");
    const more = lines.length - mostLines;
    if (all || more <= 0) shown.push(lines.join("\n"));
    else shown.push([...lines.slice(0, mostLines), ` … ${count(more, "more line")}`].join("\n"));
    if (!all) break;
  }
  return shown;
}

function groupText(group: Group, { verbose, colored }: TextOptions): string {
  const names = namesOf(group, verbose).map((name) => `  ${name}\n`);
  const differences = differencesOf(group, verbose)
    .flatMap((difference) => difference.split("\n"))
    .map((line) => `  ${colored ? color(line) : line}\n`);
  return `${titleOf(group)}\n${names.join("")}${differences.join("")}`;
}

function color(line: string): string {
  const code = /^(---|\+\+\+) /.test(line)
    ? 1
    : ({ "@": 36, "-": 31, "+": 32 } as Record<string, number>)[line[0] ?? ""];
  return code === undefined ? line : `\u001b[${code}m${line}\u001b[0m`;
}

function summaryOf(uncalled: readonly string[]): string[] {
  return uncalled.length === 0 ? [] : [`${uncalled.length}; --verbose names them`];
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

/** Returns the name of a kind for several objects. */
function plural(kind: string, number: number): string {
  if (number === 1) return kind;
  if (/(s|x|ch)$/.test(kind)) return `${kind}es`;
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

import type { FileChange } from "../../files/plan.ts";
import { groupsOf } from "../../codegen/lint/lint-roles.ts";
import { formatRbac, rbac } from "../../codegen/markers/package.ts";
import { valuesOf, type ParsedMarker } from "../../codegen/source/parse-markers.ts";
import { groupBy } from "../../apimachinery/group-by.ts";
import { isUnused, type RoleReport, type RuleReport } from "./role-report.ts";
import { withReads } from "./widths.ts";

export interface MarkerFixes {
  readonly changes: readonly FileChange[];
  /** What is left to a person, and why. */
  readonly left: readonly string[];
}

/** A line that takes the place of a marker. */
interface Part {
  readonly groups?: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly names?: readonly string[] | undefined;
}

interface MarkerLine {
  readonly marker: ParsedMarker;
  readonly start: number;
  readonly end: number;
  readonly prefix: string;
  readonly text: string;
  readonly lineEnd: string;
  parts: readonly Part[];
}

/** Rewrites the markers of a report in the sources: each changes as little as it can. */
export function fixMarkers({ rules, missing }: RoleReport): MarkerFixes {
  const left: string[] = [];
  const lines = rules.flatMap((rule) => {
    const line = lineOf(rule);
    if (line || !rule.granted.marker) return line ?? [];
    left.push(`${rule.granted.place}: the marker is not alone on its line`);
    return [];
  });
  for (const { wider, granted } of rules)
    for (const { text, needed, names } of wider)
      if (!needed && !names) left.push(`${granted.place}: ${text}: namespace=system needs a Role and its binding`);
  const added: string[] = [];
  for (const { group, resource, verbs } of missing) {
    const line = lines.find((each) => grantsOnly(each, group, resource));
    if (line) line.parts = [{ ...line.parts[0]!, verbs: [...new Set([...line.parts[0]!.verbs, ...withReads(verbs)])] }];
    else added.push(formatRbac({ group, resource, verbs: withReads(verbs) }));
  }
  const last = lines.findLast(({ marker }) => marker.file === lines[0]?.marker.file);
  if (!last) left.push(...added.map((text) => `no controller has a marker yet: // ${text}`));
  const changes = [...groupBy(lines, ({ marker }) => marker.file)].map(([file, own]): FileChange => {
    const text = own
      .toSorted((a, b) => b.start - a.start)
      .reduce((done, line) => {
        const further = line === last ? added : [];
        const kept = [...line.parts.map((part) => rewrite(line, part)), ...further];
        if (kept.length === 1 && kept[0] === line.text) return done;
        const text = kept.map((each) => line.prefix + each + line.lineEnd).join("");
        return done.slice(0, line.start) + text + done.slice(line.end);
      }, file.text);
    return { type: "update", path: file.path, text, before: file.text };
  });
  return { changes: changes.filter((change) => change.type === "update" && change.text !== change.before), left };
}

function lineOf({ granted: { marker, rule }, verbs, wider }: RuleReport): MarkerLine | undefined {
  if (!marker) return undefined;
  const { file, offset } = marker;
  const start = file.text.lastIndexOf("\n", offset) + 1;
  const next = file.text.indexOf("\n", offset);
  const end = next < 0 ? file.text.length : next + 1;
  const [, prefix, text = "", lineEnd] =
    /^([ \t]*(?:\/\/|\*)[ \t]*)(\+kubebuilder:rbac:.*?)[ \t]*(\r?\n?)$/.exec(file.text.slice(start, end)) ?? [];
  if (prefix === undefined || text.includes("*/")) return undefined;
  const star = wider.find(({ needed }) => needed);
  const whole: Part = { resources: rule.resources ?? [], verbs: rule.verbs };
  const line = { marker, start, end, prefix, text, lineEnd: lineEnd || "\n" };
  if (!rule.resources) return { ...line, parts: [whole] };
  if (star) {
    const parts = star.needed!.map(({ group, resource, verbs: own }) => ({
      groups: [group],
      resources: [resource],
      verbs: own,
    }));
    return { ...line, parts };
  }
  const needed = rule.resources.flatMap((resource): Part[] => {
    const kept = verbs.filter((each) => each.resource === resource && !isUnused(each)).map(({ verb }) => verb);
    const names = wider.find((width) => width.resource === resource)?.names;
    if (!names) return kept.length > 0 ? [{ resources: [resource], verbs: kept }] : [];
    const parts = [kept.filter((verb) => verb === "create"), kept.filter((verb) => verb !== "create")];
    return parts.flatMap((own, index) =>
      own.length === 0 ? [] : [{ resources: [resource], verbs: own, ...(index === 1 && { names }) }],
    );
  });
  const merged = [...groupBy(needed, ({ verbs: own, names }) => JSON.stringify([own, names])).values()];
  return {
    ...line,
    parts: merged.map((same) => ({ ...same[0]!, resources: same.flatMap(({ resources }) => resources) })),
  };
}

/** Reports whether a line is for one resource in all namespaces, so that a verb can be added to it. */
function grantsOnly({ marker, parts }: MarkerLine, group: string, resource: string): boolean {
  const [{ groups, namespace, resourceNames } = { groups: [], namespace: "" }] = valuesOf([marker], rbac);
  const isPlain = namespace === undefined && resourceNames === undefined && parts.length === 1 && !parts[0]!.names;
  return isPlain && groupsOf(groups).join() === group && parts[0]!.resources.join() === resource;
}

/** Returns the marker of a part, with the words of the old one where they stay. */
function rewrite({ text, marker }: MarkerLine, { groups, resources, verbs, names }: Part): string {
  const [old] = valuesOf([marker], rbac);
  const set = (
    line: string,
    name: string,
    before: readonly string[] = [],
    after: readonly string[] = before,
  ): string => {
    if (before.join() === after.join()) return line;
    const value = `${name}=${after.map((word) => word || '""').join(";")}`;
    const argument = new RegExp(`(?<=[:,])${name}=(?:"[^"]*"|\\{[^}]*\\}|[^,"{])*`);
    return argument.test(line) ? line.replace(argument, () => value) : `${line},${value}`;
  };
  const withGroups = groups ? set(text, "groups", groupsOf(old?.groups), groups) : text;
  const withResources = set(withGroups, "resources", old?.resources, resources);
  return set(set(withResources, "verbs", old?.verbs, verbs), "resourceNames", old?.resourceNames, names);
}

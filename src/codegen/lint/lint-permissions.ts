import { loadBuiltins } from "../../apimachinery/builtin/load-builtins.ts";
import { nearestWord } from "../../apimachinery/edit-distance.ts";
import { defineResources } from "../define-resources.ts";
import { rbac } from "../markers/package.ts";
import type { KindVersion } from "../model.ts";
import { Report, type Place } from "../report.ts";
import { valuesOf, type ParsedMarker } from "../source/parse-markers.ts";
import { groupsOf } from "./lint-roles.ts";

interface Resource {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

/**
 * Warns of misspelled verbs, groups and resources of permissions. A server accepts them and allows nothing by them. All
 * are warnings: a verb may be one that only the operator's own code asks for, and a group may belong to another project.
 */
export function lintPermissions(markers: readonly ParsedMarker[], kinds: readonly KindVersion[], report: Report): void {
  const rules = markers.filter(({ marker }) => (marker as unknown) === rbac);
  if (rules.length === 0) return;
  // Problems of the kinds themselves have been reported.
  const defined = defineResources(kinds, new Report());
  const known: readonly Resource[] = [...defined, ...loadBuiltins().resources];
  const ownGroups = new Set(kinds.filter(({ external }) => !external).map(({ group }) => group));
  for (const parsed of rules) {
    const [rule] = valuesOf([parsed], rbac);
    if (!rule) continue;
    const misspelled = (argument: string, word: string, what: string, meant: string): void =>
      report.warning(placeOf(parsed, argument, word), "TSOP_PERMISSION_MISSPELLED", { what: `${what} ${word}`, meant });
    for (const verb of rule.verbs) {
      const meant = nearest(verb, knownVerbs);
      if (meant !== undefined) misspelled("verbs", verb, "verb", meant);
    }
    const groups = groupsOf(rule.groups);
    const allGroups = [...new Set(known.map(({ group }) => group))];
    const plurals = (rule.resources ?? []).map(baseOf);
    for (const group of groups) {
      const meant = nearestGroup(group, allGroups, plurals, known);
      if (meant !== undefined) misspelled("groups", group, "group", meant);
    }
    // A resource may be one of any of the groups, and not all kinds of other projects are known.
    if (!groups.every((group) => allGroups.includes(group))) continue;
    const ofGroups = known.filter(({ group }) => groups.includes(group));
    for (const resource of rule.resources ?? []) {
      const [base = "", subresource] = resource.split("/");
      const meant = nearestResource(base, ofGroups);
      if (meant !== undefined) misspelled("resources", resource, "resource", withSubresource(meant, subresource));
      else if (groups.every((group) => ownGroups.has(group)) && !isNamed(base, ofGroups))
        report.warning(placeOf(parsed, "resources", resource), "TSOP_PERMISSION_UNKNOWN", {
          resource: base,
          group: groups.join(" and "),
          advice: `write resources= with some of ${[...new Set(ofGroups.map(({ plural }) => plural))].join(", ")}`,
        });
      else if (subresource !== undefined && nearest(subresource, knownSubresources()) !== undefined)
        misspelled("resources", resource, "resource", `${base}/${nearest(subresource, knownSubresources())}`);
    }
  }
}

/**
 * The verbs of requests, the verbs that the server or a controller of Kubernetes asks for in addition, and the verbs of
 * URLs.
 */
const knownVerbs =
  "get list watch create update patch delete deletecollection * use bind escalate impersonate approve sign attest proxy head post put options".split(
    " ",
  );

/** Subresources of the API, of kubelets, and one that only an admission plugin asks for. */
function knownSubresources(): readonly string[] {
  const recorded = loadBuiltins().resources.flatMap(({ subresources }) => subresources.map(({ name }) => name));
  return [
    "*",
    "status",
    "scale",
    "finalizers",
    "stats",
    "metrics",
    "spec",
    "configz",
    "healthz",
    "checkpoint",
    "pods",
    ...recorded,
  ];
}

function nearest(word: string, known: readonly string[]): string | undefined {
  return known.includes(word) ? undefined : nearestWord(word, known);
}

function baseOf(resource: string): string {
  return resource.split("/", 1)[0] ?? "";
}

function isNamed(base: string, resources: readonly Resource[]): boolean {
  return base === "*" || resources.some(({ plural }) => plural === base);
}

/** Returns the plural that is meant by a misspelled one or by the name of a kind. */
function nearestResource(base: string, resources: readonly Resource[]): string | undefined {
  if (isNamed(base, resources)) return undefined;
  const named = resources.find(({ kind }) => kind.toLowerCase() === base.toLowerCase());
  return (
    named?.plural ??
    nearestWord(
      base,
      resources.map(({ plural }) => plural),
    )
  );
}

function withSubresource(plural: string, subresource: string | undefined): string {
  return subresource === undefined ? plural : `${plural}/${subresource}`;
}

/**
 * Returns the group that a misspelled one stands for. Groups of one domain may have similar names, so that only their
 * first part counts. `app.com` stands for `apps` only if the resources belong to that group.
 */
function nearestGroup(
  group: string,
  groups: readonly string[],
  plurals: readonly string[],
  known: readonly Resource[],
): string | undefined {
  if (group === "*" || groups.includes(group)) return undefined;
  const [name, domain] = partsOf(group);
  return groups.find((other) => {
    const [otherName, otherDomain] = partsOf(other);
    if (domain === otherDomain) return nearestWord(name, [otherName]) !== undefined;
    if (name === otherName && otherDomain !== "") return nearestWord(domain, [otherDomain]) !== undefined;
    const ofOther = known.filter((resource) => resource.group === other);
    return (
      otherDomain === "" &&
      name !== otherName &&
      nearestWord(name, [otherName]) !== undefined &&
      plurals.length > 0 &&
      plurals.every((plural) => isNamed(plural, ofOther))
    );
  });
}

function partsOf(group: string): [name: string, domain: string] {
  const dot = group.indexOf(".");
  return dot < 0 ? [group, ""] : [group.slice(0, dot), group.slice(dot + 1)];
}

/** Returns the place of a word in an argument of a marker. */
function placeOf({ file, offset }: ParsedMarker, argument: string, word: string): Place {
  const [line = ""] = file.text.slice(offset).split("\n", 1);
  const start = line.indexOf(`${argument}=`);
  const at = line.indexOf(word, start + argument.length + 1);
  return { file, offset: start < 0 || at < 0 ? offset : offset + at };
}

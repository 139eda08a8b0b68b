import { defineResources } from "../define-resources.ts";
import { webhook } from "../markers/package.ts";
import type { KindVersion } from "../model.ts";
import { Report } from "../report.ts";
import type { ParsedMarker } from "../source/parse-markers.ts";

/**
 * Warns of webhooks for resources and versions that a group of the project does not have. A server accepts them, as a
 * CustomResourceDefinition may follow, and never calls the webhook.
 */
export function lintWebhooks(markers: readonly ParsedMarker[], kinds: readonly KindVersion[], report: Report): void {
  const ownGroups = new Set(kinds.filter(({ external }) => !external).map(({ group }) => group));
  // Problems of the kinds themselves have been reported.
  const defined = defineResources(kinds, new Report());
  for (const parsed of markers) {
    if ((parsed.marker as unknown) !== webhook) continue;
    const rule = parsed.value as Rule;
    // A resource may belong to any of the groups, and the project does not know all kinds of the others.
    if (!rule.groups.every((group) => ownGroups.has(group))) continue;
    const ofGroups = defined.filter(({ group }) => rule.groups.includes(group));
    const resources = ofGroups.map(({ plural, kind, versions }) => ({
      plural,
      title: `${plural} (${kind})`,
      versions: versions.map(({ name }) => name),
    }));
    for (const { what, advice } of uncalled(rule, resources)) {
      const group = rule.groups.join(" and ");
      report.warning(parsed, "TSOP_WEBHOOK_UNCALLED", { name: rule.name, what, group, advice });
    }
  }
}

interface Rule {
  readonly name: string;
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly versions: readonly string[];
}

interface GroupResource {
  readonly plural: string;
  readonly title: string;
  readonly versions: readonly string[];
}

function uncalled(rule: Rule, resources: readonly GroupResource[]): { what: string; advice: string }[] {
  const plurals = rule.resources.map((resource) => resource.split("/", 1)[0] ?? "");
  const unknown = plurals.filter((name) => name !== "*" && !resources.some(({ plural }) => plural === name));
  const named = resources.filter(({ plural }) => plurals.includes("*") || plurals.includes(plural));
  const versions = [...new Set(named.flatMap((resource) => resource.versions))];
  const missing = rule.versions.filter((version) => version !== "*" && !versions.includes(version));
  const titles = resources.map(({ title }) => title).join(", ");
  return [
    ...unknown.map((name) => ({ what: `resource ${name}`, advice: `write resources= with some of ${titles}` })),
    ...(named.length > 0 ? missing : []).map((version) => ({
      what: `version ${version} of ${named.map(({ plural }) => plural).join(" and ")}`,
      advice: `write versions= with some of ${versions.join(", ")}`,
    })),
  ];
}

import { defineResources } from "../define-resources.ts";
import { rbac } from "../markers/package.ts";
import type { KindVersion } from "../model.ts";
import { Report } from "../report.ts";
import { valuesOf, type ParsedMarker } from "../source/parse-markers.ts";

/**
 * Warns of Roles for kinds of the project that are of cluster scope. A server accepts them, and allows nothing by them.
 */
export function lintRoles(
  markers: readonly ParsedMarker[],
  kinds: readonly KindVersion[],
  { roleName, report }: { roleName: string; report: Report },
): void {
  // Problems of the kinds themselves have been reported.
  const global = defineResources(kinds, new Report()).filter(({ scope }) => scope === "Cluster");
  for (const parsed of markers) {
    const [rule] = valuesOf([parsed], rbac);
    if (!rule?.namespace) continue;
    // Its subresources need the same change.
    const found = global.find(({ group, plural }) => rule.groups?.includes(group) && rule.resources?.includes(plural));
    if (!found) continue;
    const { plural } = found;
    report.warning(parsed, "TSOP_ROLE_POWERLESS", {
      plural,
      namespace: rule.namespace,
      role: rule.roleName ?? roleName,
    });
  }
}

import { loadBuiltins } from "../../apimachinery/builtin/load-builtins.ts";
import { defineResources } from "../define-resources.ts";
import { rbac } from "../markers/package.ts";
import type { KindVersion } from "../model.ts";
import { Report } from "../report.ts";
import { valuesOf, type ParsedMarker } from "../source/parse-markers.ts";

interface GlobalResource {
  readonly group: string;
  readonly plural: string;
}

/**
 * Warns of Roles for kinds of cluster scope, of the project or of Kubernetes. A server accepts them, and allows nothing
 * by them.
 */
export function lintRoles(
  markers: readonly ParsedMarker[],
  kinds: readonly KindVersion[],
  { roleName, report }: { roleName: string; report: Report },
): void {
  let global: readonly GlobalResource[] | undefined;
  for (const parsed of markers) {
    const [rule] = valuesOf([parsed], rbac);
    if (!rule?.namespace) continue;
    global ??= globalResources(kinds);
    const found = global.filter(({ group, plural }) => {
      const isNamed = groupsOf(rule.groups).includes(group) && rule.resources?.includes(plural);
      // A Role allows these of its own namespace, which is an object of that namespace to a server.
      const isOwn = group === "" && plural === "namespaces";
      return isNamed && !(isOwn && rule.verbs.every((verb) => ["get", "update", "patch", "delete"].includes(verb)));
    });
    if (found.length === 0) continue;
    report.warning(parsed, "TSOP_ROLE_POWERLESS", {
      plural: [...new Set(found.map(({ plural }) => plural))].join(", "),
      namespace: rule.namespace,
      role: rule.roleName ?? roleName,
    });
  }
}

/** Returns the groups of a marker, in which `core` is the group without a name. */
export function groupsOf(groups: readonly string[] = []): readonly string[] {
  return groups.map((group) => (group === "core" ? "" : group));
}

/** Leaves out subresources whose resource is in the same rule: they need the same change. */
function globalResources(kinds: readonly KindVersion[]): readonly GlobalResource[] {
  // Problems of the kinds themselves have been reported.
  const own = defineResources(kinds, new Report()).filter(({ scope }) => scope === "Cluster");
  return [...own, ...loadBuiltins().resources.filter(({ namespaced }) => !namespaced)];
}

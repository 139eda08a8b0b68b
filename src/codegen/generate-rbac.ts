import { emitYamlDocuments } from "../apimachinery/yaml/emit.ts";
import type { OutputFile } from "./generate-crds.ts";
import { rbac } from "./markers/package.ts";
import { valuesOf, type ParsedMarker } from "./source/parse-markers.ts";

/** A rule of a Role, as in the API. */
interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
}

/** A Role, or a ClusterRole if it has no namespace. */
export interface GeneratedRole {
  readonly name: string;
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
}

/** Generates the file with all roles, or no file if there are no rbac markers. */
export function generateRbac(roles: readonly GeneratedRole[], path: string): OutputFile[] {
  return roles.length === 0 ? [] : [{ path, text: emitYamlDocuments(roles.map(roleObject)) }];
}

/** Merges all rbac markers into the fewest equivalent rules, in controller-gen's order. */
export function rolesFrom(markers: readonly ParsedMarker[], defaultName: string): GeneratedRole[] {
  const buckets = new Map<string, GeneratedRole & { rules: Rule[] }>();
  for (const { namespace = "", roleName, ...marker } of valuesOf(markers, rbac)) {
    const name = roleName ?? defaultName;
    const key = `${namespace}\0${name}`;
    const bucket = buckets.get(key) ?? { name, namespace, rules: [] };
    bucket.rules.push(...splitByResource(marker));
    buckets.set(key, bucket);
  }
  const sorted = [...buckets].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, { name, namespace, rules }]) => ({
    name,
    namespace,
    rules: mergeRules(rules).map(policyRule),
  }));
}

interface Rule {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly urls: readonly string[];
  readonly verbs: readonly string[];
}

function splitByResource(marker: Partial<Rule>): Rule[] {
  const rule: Rule = {
    groups: sortValues((marker.groups ?? []).map((group) => (group === "core" ? "" : group))),
    resources: [],
    resourceNames: sortValues(marker.resourceNames ?? []),
    urls: sortValues(marker.urls ?? []),
    verbs: sortValues(marker.verbs ?? []),
  };
  const resources = sortValues(marker.resources ?? []);
  return resources.length === 0 ? [rule] : resources.map((resource) => ({ ...rule, resources: [resource] }));
}

/** Merges rules that differ in one dimension only, dimension by dimension. */
function mergeRules(rules: readonly Rule[]): Rule[] {
  let merged = rules;
  for (const dimension of ["verbs", "resources", "groups", "urls"] as const) merged = mergeBy(merged, dimension);
  return [...merged].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)).map(withStarOnly);
}

function mergeBy(rules: readonly Rule[], dimension: keyof Rule): Rule[] {
  const byRest = new Map<string, Rule>();
  for (const rule of rules) {
    const key = JSON.stringify({ ...rule, [dimension]: [] });
    const known = byRest.get(key);
    byRest.set(key, known ? { ...known, [dimension]: sortValues([...known[dimension], ...rule[dimension]]) } : rule);
  }
  return [...byRest.values()];
}

function sortKey({ groups, resources, resourceNames, urls }: Rule): string {
  return [groups, resources, resourceNames, urls].map((part) => part.join("&")).join(" + ");
}

function withStarOnly(rule: Rule): Rule {
  return rule.verbs.includes("*") ? { ...rule, verbs: ["*"] } : rule;
}

function sortValues(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}

function policyRule({ groups, resources, resourceNames, urls, verbs }: Rule): PolicyRule {
  return {
    ...(groups.length > 0 ? { apiGroups: groups } : {}),
    ...(urls.length > 0 ? { nonResourceURLs: urls } : {}),
    ...(resourceNames.length > 0 ? { resourceNames } : {}),
    ...(resources.length > 0 ? { resources } : {}),
    verbs,
  };
}

function roleObject({ name, namespace, rules }: GeneratedRole): object {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: namespace ? "Role" : "ClusterRole",
    metadata: { name, namespace: namespace || undefined },
    rules,
  };
}

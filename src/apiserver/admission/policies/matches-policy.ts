import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { AdmissionAttributes } from "../admission-attributes.ts";
import { matchesSelectors, versionFor } from "../matches-webhook.ts";
import type { MatchResources } from "./admission-policy.ts";

/** The version in which a policy or binding wants to see a write; `undefined` when it is not for this one. */
export function policyVersion(
  match: MatchResources,
  attributes: AdmissionAttributes,
  namespace: UnstructuredObject | undefined,
): string | undefined {
  const { matchPolicy, resourceRules = [], excludeResourceRules = [] } = match;
  if (!matchesSelectors(match, attributes, namespace)) return undefined;
  if (versionFor({ rules: excludeResourceRules, matchPolicy }, attributes) !== undefined) return undefined;
  if (resourceRules.length === 0) return attributes.resource.version;
  return versionFor({ rules: resourceRules, matchPolicy }, attributes);
}

const reviews = new Set(["authentication.k8s.io", "authorization.k8s.io"]);

/** Policies do not govern policies, nor questions that are never stored. */
export function isBeyondPolicies({ resource: { group, plural } }: AdmissionAttributes): boolean {
  return reviews.has(group) || (group === "admissionregistration.k8s.io" && plural.includes("admissionpolic"));
}

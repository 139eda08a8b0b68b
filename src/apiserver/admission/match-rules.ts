import type { LabelSelector, UnstructuredObject } from "../../apimachinery/meta.ts";
import { labelSelectorMatcher } from "../../apimachinery/selectors.ts";
import type { Store } from "../storage/store.ts";
import type { AdmissionAttributes } from "./admission-attributes.ts";
import type { Webhook, WebhookRule } from "../call-webhook.ts";
import type { MatchResources } from "./policies/admission-policy.ts";

/** Whether a webhook wants to see a write; `namespace` is the object's own, or the namespace that it is. */
export function matchesWebhook(
  webhook: Webhook,
  attributes: AdmissionAttributes,
  namespace: UnstructuredObject | undefined,
): boolean {
  return versionFor(webhook, attributes) !== undefined && matchesSelectors(webhook, attributes, namespace);
}

/** Whether the selectors of a webhook or policy choose the object that is written, and its namespace. */
function matchesSelectors(
  { namespaceSelector, objectSelector }: Pick<Webhook, "namespaceSelector" | "objectSelector">,
  attributes: AdmissionAttributes,
  namespace: UnstructuredObject | undefined,
): boolean {
  return (
    matchesNamespace(namespaceSelector, attributes, namespace) &&
    [attributes.object, attributes.oldObject].some((object) => object && matches(objectSelector, object))
  );
}

/** The namespace of a write's object, or the namespace that it is. */
export function namespaceOf(store: Store, attributes: AdmissionAttributes): UnstructuredObject | undefined {
  if (attributes.resource.plural === "namespaces") return attributes.object ?? attributes.oldObject;
  return store.collection({ group: "", plural: "namespaces" }).get(attributes.namespace ?? attributes.name);
}

/**
 * The version in which a webhook wants to see a write: the request's if a rule names it, else, with `matchPolicy:
 * Equivalent`, another one that a rule names; `undefined` when no rule is for this write.
 */
export function versionFor(
  { rules = [], matchPolicy }: Pick<Webhook, "rules" | "matchPolicy">,
  attributes: AdmissionAttributes,
): string | undefined {
  const { resource, equivalents } = attributes;
  const others = matchPolicy === "Equivalent" ? equivalents.map(({ resource: { version } }) => version) : [];
  return [resource.version, ...others].find((version) => rules.some((rule) => matchesRule(rule, version, attributes)));
}

function matchesRule(rule: WebhookRule, version: string, attributes: AdmissionAttributes): boolean {
  const { resource, subresource, operation, name } = attributes;
  const scope = resource.namespaced ? "Namespaced" : "Cluster";
  return (
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, resource.group) &&
    includes(rule.apiVersions, version) &&
    rule.resources.some((pattern) => matchesResource(pattern, resource.plural, subresource)) &&
    (rule.scope === undefined || rule.scope === "*" || rule.scope === scope) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(name))
  );
}

/** `pods`, `pods/status`, `pods/*`, `*`, or any plural with a subresource. */
function matchesResource(pattern: string, plural: string, subresource: string | undefined): boolean {
  const [wantedPlural, wantedPart] = pattern.split("/");
  if (pattern === "*/*") return true;
  if (wantedPlural !== "*" && wantedPlural !== plural) return false;
  return wantedPart === "*" || wantedPart === subresource;
}

function matchesNamespace(
  selector: LabelSelector,
  { resource }: AdmissionAttributes,
  namespace: UnstructuredObject | undefined,
): boolean {
  const isNamespace = resource.group === "" && resource.plural === "namespaces";
  if (!resource.namespaced && !isNamespace) return true;
  return namespace ? matches(selector, namespace) : isEmpty(selector);
}

function matches(selector: LabelSelector, { metadata }: UnstructuredObject): boolean {
  return isEmpty(selector) || labelSelectorMatcher(selector).matches(metadata.labels ?? {});
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

function includes(words: readonly string[], word: string): boolean {
  return words.includes("*") || words.includes(word);
}

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

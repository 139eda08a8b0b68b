import type { LabelSelector, UnstructuredObject } from "../../apimachinery/meta.ts";
import { labelSelectorMatcher } from "../../apimachinery/selectors.ts";
import type { Store } from "../storage/store.ts";
import type { AdmissionAttributes } from "./admission-attributes.ts";
import type { Webhook } from "../call-webhook.ts";
import type { NamedRuleWithOperations } from "../../k8s/admissionregistration/v1.ts";
import type { MatchResources } from "./policies/active-policies.ts";
import type { ServedResource } from "../registry/served-resource.ts";

/** Reports whether a webhook selects a write; `namespace` is the object's own, or the namespace that is written. */
export function matchesWebhook(
  webhook: Webhook,
  attributes: AdmissionAttributes,
  namespace: UnstructuredObject | undefined,
): boolean {
  return resourceFor(webhook, attributes) !== undefined && matchesSelectors(webhook, attributes, namespace);
}

/** Reports whether the selectors of a webhook or policy match the written object and its namespace. */
function matchesSelectors(
  { namespaceSelector, objectSelector }: Pick<Webhook, "namespaceSelector" | "objectSelector">,
  attributes: AdmissionAttributes,
  namespace: UnstructuredObject | undefined,
): boolean {
  return (
    matchesNamespace(namespaceSelector, attributes, namespace) &&
    (isEmpty(objectSelector) ||
      [attributes.object, attributes.oldObject].some((object) => object?.metadata && matches(objectSelector, object)))
  );
}

/** Returns the namespace of the written object, or the object itself if it is a namespace that is created or updated. */
export function namespaceOf(store: Store, attributes: AdmissionAttributes): UnstructuredObject | undefined {
  const { resource, subresource, object, namespace = "" } = attributes;
  if (isNamespaces(resource) && subresource === undefined && object) return object;
  return store.collection({ group: "", plural: "namespaces" }).get(namespace);
}

/** Reports whether a resource is the namespaces, which have no scope and yet match selectors of one. */
export function isNamespaces({ group, plural }: ServedResource): boolean {
  return group === "" && plural === "namespaces";
}

interface Rules {
  readonly rules?: readonly NamedRuleWithOperations[] | undefined;
  readonly matchPolicy?: "Exact" | "Equivalent" | undefined;
}

/**
 * Returns the resource as which a webhook receives a write: the request's if a rule names it, else, with `matchPolicy:
 * Equivalent`, another version or group that a rule names. Returns `undefined` if no rule matches.
 */
export function resourceFor(
  { rules = [], matchPolicy }: Rules,
  attributes: AdmissionAttributes,
): ServedResource | undefined {
  const { resource, equivalents } = attributes;
  const others = matchPolicy === "Equivalent" ? equivalents.map((equivalent) => equivalent.resource) : [];
  return [resource, ...others].find((candidate) => rules.some((rule) => matchesRule(rule, candidate, attributes)));
}

function matchesRule(
  rule: NamedRuleWithOperations,
  resource: ServedResource,
  attributes: AdmissionAttributes,
): boolean {
  const { subresource, operation, name } = attributes;
  const scope = resource.namespaced ? "Namespaced" : "Cluster";
  return (
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, resource.group) &&
    includes(rule.apiVersions, resource.version) &&
    (rule.resources ?? []).some((pattern) => matchesResource(pattern, resource.plural, subresource)) &&
    (rule.scope === undefined || rule.scope === "*" || rule.scope === scope) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(name))
  );
}

/** Matches `pods`, `pods/status`, `pods/*`, `*`, and any plural with a subresource. */
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
  if (!resource.namespaced && !isNamespaces(resource)) return true;
  return namespace ? matches(selector, namespace) : isEmpty(selector);
}

function matches(selector: LabelSelector, { metadata }: UnstructuredObject): boolean {
  return isEmpty(selector) || labelSelectorMatcher(selector).matches(metadata.labels ?? {});
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

function includes(words: readonly string[] | undefined, word: string): boolean {
  return words?.includes("*") === true || words?.includes(word) === true;
}

/** Returns the resource as which a policy or binding evaluates a write; `undefined` if it does not select the write. */
export function policyResource(
  match: MatchResources,
  attributes: AdmissionAttributes,
  namespace: UnstructuredObject | undefined,
): ServedResource | undefined {
  const { matchPolicy, resourceRules = [], excludeResourceRules = [] } = match;
  if (!matchesSelectors(match, attributes, namespace)) return undefined;
  if (resourceFor({ rules: excludeResourceRules, matchPolicy }, attributes) !== undefined) return undefined;
  if (resourceRules.length === 0) return attributes.resource;
  return resourceFor({ rules: resourceRules, matchPolicy }, attributes);
}

const reviews = new Set(["authentication.k8s.io", "authorization.k8s.io"]);

/** Reports whether policies ignore a resource: policies themselves, and reviews, which are never stored. */
export function isBeyondPolicies({ resource: { group, plural } }: AdmissionAttributes): boolean {
  return reviews.has(group) || (group === "admissionregistration.k8s.io" && plural.includes("admissionpolic"));
}

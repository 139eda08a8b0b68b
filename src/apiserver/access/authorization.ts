import { ApiError, failure } from "../../apimachinery/status.ts";
import { forbiddenAction } from "../refusals.ts";
import type { User } from "../api-server.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Store } from "../storage/store.ts";

/** A request as an authorizer sees it. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly user: User;
  readonly verb: string;
  readonly group: string;
  readonly version?: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** The part of a request that a rule is compared with. */
type CoveredAttributes = Omit<ResourceAttributes, "user"> | Omit<PathAttributes, "user">;

interface PathAttributes {
  readonly user: User;
  readonly verb: string;
  readonly path: string;
}

/** Decides whether a request is allowed; `reason` is for people. */
export type Authorizer = (attributes: Attributes) => Decision;

interface Decision {
  readonly allowed: boolean;
  readonly reason?: string;
}

export const allowAll: Authorizer = () => ({ allowed: true });

/** What each user may do. */
export interface AccessRules {
  readonly authorize: Authorizer;
  /** Returns an addition to the message of a 403, such as the rule that is missing. */
  readonly forbiddenHint?: (attributes: Attributes, reason?: string) => string | undefined;
}

/** Refuses a request that the authorizer does not allow. */
export function requireAccess(rules: AccessRules, attributes: Attributes): void {
  const refusal = accessRefusal(rules, attributes);
  if (refusal) throw refusal;
}

/** Returns the refusal of a request that the authorizer does not allow. */
export function accessRefusal({ authorize, forbiddenHint }: AccessRules, attributes: Attributes): ApiError | undefined {
  const { allowed, reason } = authorize(attributes);
  if (allowed) return undefined;
  const refusal = describeRefusal(attributes);
  if ("path" in attributes) return new ApiError(failure("Forbidden", `forbidden: ${refusal}`, {}));
  return forbiddenAction(attributes, [refusal, reason, forbiddenHint?.(attributes, reason)].filter(Boolean).join(": "));
}

/**
 * Describes a refusal like a real server: `User "u" cannot list resource "pods" in API group "" in the namespace "a"`.
 */
function describeRefusal(attributes: Attributes): string {
  const who = `User ${JSON.stringify(attributes.user.username)} cannot ${attributes.verb}`;
  if ("path" in attributes) return `${who} path ${JSON.stringify(attributes.path)}`;
  const { group, resource, subresource, namespace } = attributes;
  const what = subresource ? `${resource}/${subresource}` : resource;
  const where = namespace ? `in the namespace ${JSON.stringify(namespace)}` : "at the cluster scope";
  return `${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`;
}

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export const rbacGroup = "rbac.authorization.k8s.io";

/** Creates an authorizer that decides by the roles and bindings that are stored at that moment. */
export function rbacAuthorizer(store: Store): Authorizer {
  return (attributes) => {
    if (attributes.user.groups.includes("system:masters")) return { allowed: true };
    const namespace = "path" in attributes ? undefined : attributes.namespace;
    const missing = new Set<string>();
    for (const grant of grantsFor(store, attributes.user, namespace)) {
      if (!grant.rules) missing.add(missingRole(roleOf(grant.binding)));
      else if (grant.rules.some((rule) => covers(rule, attributes))) return { allowed: true };
    }
    if (missing.size === 0) return { allowed: false };
    return { allowed: false, reason: `RBAC: ${[...missing].join(", ")}` };
  };
}

/** A binding that applies to a user, with the rules that it grants if its role exists. */
interface Grant {
  readonly binding: UnstructuredObject;
  readonly rules: readonly PolicyRule[] | undefined;
}

function missingRole({ kind, name }: RoleRef): string {
  return `${kind.toLowerCase()}.${rbacGroup} ${JSON.stringify(name)} not found`;
}

/** The rules that a user has in a namespace, or in the whole cluster, and the roles of bindings that do not exist. */
export function rulesFor(
  store: Store,
  user: User,
  namespace: string | undefined,
): { rules: PolicyRule[]; missing: RoleRef[] } {
  const grants = [...grantsFor(store, user, namespace)];
  return {
    rules: grants.flatMap(({ rules = [] }) => rules),
    missing: grants.filter(({ rules }) => !rules).map(({ binding }) => roleOf(binding)),
  };
}

function* grantsFor(store: Store, user: User, namespace: string | undefined): Generator<Grant> {
  const bindings = [...store.collection({ group: rbacGroup, plural: "clusterrolebindings" }).entries("")];
  if (namespace)
    bindings.push(...store.collection({ group: rbacGroup, plural: "rolebindings" }).entries(`${namespace}/`));
  for (const [, binding] of bindings) {
    if (subjectFor(binding, user)) yield { binding, rules: rulesOf(store, binding) };
  }
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** Returns the subject of a binding that a user is. */
export function subjectFor(binding: UnstructuredObject, user: User): Subject | undefined {
  const subjects = (binding["subjects"] ?? []) as readonly Subject[];
  return subjects.find(({ kind, name, namespace = binding.metadata.namespace }) => {
    if (kind === "User") return user.username === name;
    if (kind === "Group") return user.groups.includes(name);
    return kind === "ServiceAccount" && user.username === `system:serviceaccount:${namespace}:${name}`;
  });
}

interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/** Returns the role that a binding refers to. */
export function roleOf(binding: UnstructuredObject): RoleRef {
  const { kind = "", name = "" } = (binding["roleRef"] ?? {}) as Partial<RoleRef>;
  return { kind, name };
}

/** Returns the rules of the role that a stored or new binding refers to; `undefined` if the role is missing. */
export function rulesOf(store: Store, binding: UnstructuredObject): readonly PolicyRule[] | undefined {
  const { kind, name } = roleOf(binding);
  const isCluster = kind === "ClusterRole";
  const roles = store.collection({ group: rbacGroup, plural: isCluster ? "clusterroles" : "roles" });
  const role = roles.get(isCluster ? name : `${binding.metadata.namespace}/${name}`);
  return role && ((role["rules"] ?? []) as PolicyRule[]);
}

/** Reports whether a rule allows a request, wherever it is bound. */
export function covers(rule: PolicyRule, attributes: CoveredAttributes): boolean {
  if (!has(rule.verbs, attributes.verb)) return false;
  if ("path" in attributes) return coversPath(rule.nonResourceURLs, attributes.path);
  return coversResource(rule, attributes);
}

function coversResource(
  rule: PolicyRule,
  { group, resource, subresource, name = "" }: Omit<ResourceAttributes, "user">,
): boolean {
  if (!has(rule.apiGroups, group)) return false;
  const wanted = subresource ? [`${resource}/${subresource}`, `*/${subresource}`] : [resource];
  if (!rule.resources?.includes("*") && !wanted.some((each) => rule.resources?.includes(each))) return false;
  return !rule.resourceNames?.length || rule.resourceNames.includes(name);
}

/** Reports whether one of a rule's paths equals this one, or ends with a star and is a prefix of it. */
export function coversPath(urls: readonly string[] = [], path: string): boolean {
  return urls.some((url) => (url.endsWith("*") ? path.startsWith(url.slice(0, -1)) : url === path));
}

function has(words: readonly string[] | undefined, word: string): boolean {
  return words?.includes("*") === true || words?.includes(word) === true;
}

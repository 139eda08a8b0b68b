import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import { goQuoted } from "../../apimachinery/go-text.ts";
import { forbidden, notFound } from "../refusals.ts";
import type { Store } from "../storage/store.ts";
import type { User } from "../api-server.ts";
import { type Authorizer, coversPath, rbacGroup, roleOf, rulesFor, rulesOf, type PolicyRule } from "./authorization.ts";

export interface GrantingWrite {
  readonly store: Store;
  readonly authorize: Authorizer;
  readonly user: User;
  readonly plural: string;
  /** The name in the path, which a create lacks. */
  readonly name: string;
  readonly object: UnstructuredObject;
  readonly old: UnstructuredObject | undefined;
}

/** Refuses a role, or a binding to one, that would grant more than its writer is allowed to do. */
export function checkEscalation(write: GrantingWrite): void {
  const { user, object, old } = write;
  if (user.groups.includes("system:masters") || (old && changesOnlyDependents(object, old))) return;
  if (write.plural.endsWith("bindings")) checkBinding(write);
  else checkRole(write);
}

/** Metadata that garbage collection changes, and the server itself. */
const dependents = { finalizers: null, ownerReferences: null, managedFields: null, resourceVersion: null };

/** Reports whether an update is one that garbage collection makes. */
function changesOnlyDependents(object: UnstructuredObject, old: UnstructuredObject): boolean {
  const compared = (role: UnstructuredObject): object => ({ ...role, metadata: { ...role.metadata, ...dependents } });
  return equalJson(compared(object), compared(old));
}

function checkBinding(write: GrantingWrite): void {
  const { store, plural, object } = write;
  const role = roleOf(object);
  const resource = role.kind === "ClusterRole" ? "clusterroles" : "roles";
  if (isAllowed(write, { verb: "bind", resource, name: role.name })) return;
  const rules = rulesOf(store, object);
  if (!rules) throw notFound({ group: rbacGroup, plural }, role.name);
  requireHeld(write, rules);
}

/** Labels of other roles determine the rules of an aggregated role, so that only administrators may write one. */
function checkRole(write: GrantingWrite): void {
  const { plural, name, object, old } = write;
  if (isAllowed(write, { verb: "escalate", resource: plural, name })) return;
  requireHeld(write, (object["rules"] ?? []) as readonly PolicyRule[]);
  const aggregates = [object, old].some((role) => role?.["aggregationRule"] !== undefined);
  if (aggregates && missingRules(write, everything).length > 0)
    throw refusal(write, "must have cluster-admin privileges to use the aggregationRule");
}

const everything: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

function isAllowed(
  { authorize, user, object }: GrantingWrite,
  attributes: { verb: string; resource: string; name: string },
): boolean {
  return authorize({ user, group: rbacGroup, namespace: object.metadata.namespace, ...attributes }).allowed;
}

function requireHeld(write: GrantingWrite, wanted: readonly PolicyRule[]): void {
  const missing = missingRules(write, wanted);
  if (missing.length === 0) return;
  const { store, user, plural, object } = write;
  const who = `user ${JSON.stringify(user.username)} (groups=${goQuoted(user.groups)})`;
  const lines = combine(missing).map(format).sort().join("\n");
  // Like a real server, name the resource that is written, not the roles that are missing.
  const unknown = rulesFor(store, user, object.metadata.namespace).missing.map(
    ({ name }) => `${plural}.${rbacGroup} ${JSON.stringify(name)} not found`,
  );
  const errors = unknown.length > 0 ? `; resolution errors: [${unknown.join(" ")}]` : "";
  throw refusal(write, `${who} is attempting to grant RBAC permissions not currently held:\n${lines}${errors}`);
}

function refusal({ plural, object }: GrantingWrite, why: string): Error {
  return forbidden({ group: rbacGroup, plural }, object.metadata.name ?? "", why);
}

function missingRules({ store, user, object }: GrantingWrite, wanted: readonly PolicyRule[]): Atom[] {
  return rulesNotHeld(rulesFor(store, user, object.metadata.namespace).rules, wanted);
}

/** Returns what rules lack of others, as rules with one verb, one group and one resource each. */
export function rulesNotHeld(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): Atom[] {
  return wanted.flatMap(splitRule).filter((atom) => !held.some((rule) => includes(rule, atom)));
}

type Atom = Required<Pick<PolicyRule, "verbs">> & Omit<PolicyRule, "verbs">;

/** Splits a rule into rules with one verb, one group and one resource each. */
function splitRule({ verbs, apiGroups = [], resources = [], resourceNames, nonResourceURLs = [] }: PolicyRule): Atom[] {
  const names = resourceNames?.length ? resourceNames.map((name) => [name]) : [undefined];
  const ofResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      names.flatMap((name) =>
        verbs.map((verb) => ({
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          ...(name && { resourceNames: name }),
        })),
      ),
    ),
  );
  const ofPaths = nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ verbs: [verb], nonResourceURLs: [url] })));
  return [...ofResources, ...ofPaths];
}

function includes(rule: PolicyRule, atom: Atom): boolean {
  if (!hasAll(rule.verbs, atom.verbs)) return false;
  if (atom.nonResourceURLs) return atom.nonResourceURLs.every((url) => coversPath(rule.nonResourceURLs, url));
  const [resource = ""] = atom.resources ?? [];
  const part = resource.includes("/") ? [`*${resource.slice(resource.indexOf("/"))}`] : [];
  return (
    hasAll(rule.apiGroups, atom.apiGroups) &&
    ["*", resource, ...part].some((word) => rule.resources?.includes(word)) &&
    (!rule.resourceNames?.length || atom.resourceNames?.every((name) => rule.resourceNames?.includes(name)) === true)
  );
}

function hasAll(held: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return held.includes("*") || wanted.every((word) => held.includes(word));
}

/** Combines atoms of resources that differ only in their verb into one rule. */
function combine(atoms: readonly Atom[]): PolicyRule[] {
  const rules = new Map<string, PolicyRule>();
  for (const atom of atoms) {
    const { verbs, ...rest } = atom;
    const id = JSON.stringify(atom.nonResourceURLs ? atom : rest);
    rules.set(id, { ...rest, verbs: [...new Set([...(rules.get(id)?.verbs ?? []), ...verbs])] });
  }
  return [...rules.values()];
}

function format({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const fields = {
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs,
  };
  const parts = Object.entries(fields).filter(([, words]) => words?.length);
  return `{${parts.map(([name, words = []]) => `${name}:${goQuoted(words)}`).join(", ")}}`;
}

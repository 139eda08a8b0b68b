import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import { forbidden } from "../refusals.ts";
import type { Store } from "../storage/store.ts";
import type { User } from "../api-server.ts";
import { type Authorizer, coversPath, rulesFor, rulesOf, type PolicyRule } from "./authorization.ts";

export const rbacGroup = "rbac.authorization.k8s.io";

export interface GrantingWrite {
  readonly store: Store;
  readonly authorize: Authorizer;
  readonly user: User;
  readonly plural: string;
  readonly object: UnstructuredObject;
  readonly old: UnstructuredObject | undefined;
}

/** Refuses a role, or a binding to one, that would grant more than its writer is allowed to do. */
export function checkEscalation(write: GrantingWrite): void {
  const { store, authorize, user, plural, object, old } = write;
  if (user.groups.includes("system:masters")) return;
  const isBinding = plural.endsWith("bindings");
  const fields = isBinding ? ["roleRef", "subjects"] : ["rules"];
  if (old && fields.every((field) => equalJson(old[field], object[field]))) return;
  const { namespace } = object.metadata;
  const { kind, name } = (object["roleRef"] ?? {}) as { kind?: string; name?: string };
  const freely = isBinding
    ? { verb: "bind", resource: kind === "ClusterRole" ? "clusterroles" : "roles", name }
    : { verb: "escalate", resource: plural, name: object.metadata.name };
  if (authorize({ user, group: rbacGroup, namespace, ...freely }).allowed) return;
  const wanted = isBinding ? rulesOf(store, object) : ((object["rules"] ?? []) as readonly PolicyRule[]);
  const held = [...rulesFor(store, user, namespace)];
  const missing = combine(wanted.flatMap(splitRule).filter((atom) => !held.some((rule) => includes(rule, atom))));
  if (missing.length === 0) return;
  const who = `user ${JSON.stringify(user.username)} (groups=[${user.groups.map((group) => JSON.stringify(group)).join(" ")}])`;
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${missing.map(format).sort().join("\n")}`;
  throw forbidden({ group: rbacGroup, plural }, object.metadata.name ?? "", why);
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

/** Combines atoms that differ only in their verb into one rule. */
function combine(atoms: readonly Atom[]): PolicyRule[] {
  const rules = new Map<string, PolicyRule>();
  for (const { verbs, ...rest } of atoms) {
    const id = JSON.stringify(rest);
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
  const quoted = (words: readonly string[] = []): string => words.map((word) => JSON.stringify(word)).join(", ");
  return `{${parts.map(([name, words]) => `${name}:[${quoted(words)}]`).join(", ")}}`;
}

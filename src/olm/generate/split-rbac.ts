import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { PolicyRule, StrategyPermissions } from "../csv/csv.ts";
import type { Binding, Collection, Role } from "./collect.ts";

/** The permissions that OLM grants from the CSV, and the objects that must stay in the bundle. */
export interface RbacSplit {
  readonly permissions: StrategyPermissions[];
  readonly clusterPermissions: StrategyPermissions[];
  readonly objects: UnstructuredObject[];
}

/** Moves the rules that are bound to the operator's service accounts into permissions. */
export function splitRbac(collection: Collection, extraServiceAccounts: readonly string[]): RbacSplit {
  const accounts = ownAccounts(collection, extraServiceAccounts);
  const split = { permissions: new Rules(), clusterPermissions: new Rules() };
  const moved = new Set<UnstructuredObject>();
  const needed = new Set<UnstructuredObject>();
  const { roles, clusterRoles } = collection;
  const bindings = [
    ...collection.roleBindings.map((binding) => ({ binding, rules: split.permissions })),
    ...collection.clusterRoleBindings.map((binding) => ({ binding, rules: split.clusterPermissions })),
  ];
  for (const { binding, rules } of bindings) {
    const role = findRole(binding, binding.roleRef.kind === "Role" ? roles : clusterRoles);
    const subjects = binding.subjects ?? [];
    const own = subjects.filter(({ kind, name }) => kind === "ServiceAccount" && accounts.has(name));
    if (role && own.length > 0) {
      moved.add(role);
      for (const { name } of own) rules.add(name, role.rules ?? []);
      if (own.length === subjects.length) moved.add(binding);
      // A binding with other subjects stays complete, and so must its role.
      else needed.add(role);
    }
  }
  const stays = (object: UnstructuredObject): boolean => !moved.has(object) || needed.has(object);
  return {
    permissions: split.permissions.list(),
    clusterPermissions: split.clusterPermissions.list(),
    objects: [
      ...[roles, clusterRoles, collection.roleBindings, collection.clusterRoleBindings].flatMap((objects) =>
        (objects as UnstructuredObject[]).filter(stays).toSorted(byName),
      ),
      // In the order of the input, as in operator-sdk; operator-sdk orders the others at random.
      ...collection.serviceAccounts.filter(({ metadata }) => !accounts.has(metadata.name ?? "")),
    ],
  };
}

/** Returns the operator's service accounts. A bundle is installed into one namespace, so their names identify them. */
function ownAccounts({ deployments }: Collection, extra: readonly string[]): Set<string> {
  const ofDeployments = deployments.map(({ spec }) => spec.template?.spec?.serviceAccountName || "default");
  return new Set([...ofDeployments, ...extra]);
}

/** Finds the role in the binding's namespace, or else one of the same name: plain manifests often omit namespaces. */
function findRole({ roleRef, metadata }: Binding, roles: readonly Role[]): Role | undefined {
  if (roleRef.apiGroup && roleRef.apiGroup !== "rbac.authorization.k8s.io") return undefined;
  const named = roles.filter((role) => role.metadata.name === roleRef.name);
  return named.find((role) => role.metadata.namespace === metadata.namespace) ?? named[0];
}

/** Rules by service account, in the order of the bindings. */
class Rules {
  private readonly rules = new Map<string, PolicyRule[]>();

  add(account: string, rules: readonly PolicyRule[]): void {
    this.rules.set(account, [...(this.rules.get(account) ?? []), ...rules]);
  }

  list(): StrategyPermissions[] {
    return [...this.rules]
      .filter(([, rules]) => rules.length > 0)
      .map(([serviceAccountName, rules]) => ({ serviceAccountName, rules }))
      .toSorted((a, b) => (a.serviceAccountName < b.serviceAccountName ? -1 : 1));
  }
}

function byName(a: UnstructuredObject, b: UnstructuredObject): number {
  const key = ({ metadata }: UnstructuredObject): string => `${metadata.name} ${metadata.namespace ?? ""}`;
  return key(a) < key(b) ? -1 : 1;
}

import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding } from "../../k8s/rbac/v1.ts";
import type { Client } from "../../client/client.ts";

const group = "rbac.authorization.k8s.io";
export const RoleKind: Kind<Role> = rbac("Role", "roles");
export const RoleBindingKind: Kind<RoleBinding> = rbac("RoleBinding", "rolebindings");
export const ClusterRoleKind: Kind<ClusterRole> = rbac("ClusterRole", "clusterroles", "Cluster");
export const ClusterRoleBindingKind: Kind<ClusterRoleBinding> = rbac(
  "ClusterRoleBinding",
  "clusterrolebindings",
  "Cluster",
);

function rbac<T extends KubeObject>(
  kind: string,
  plural: string,
  scope: "Namespaced" | "Cluster" = "Namespaced",
): Kind<T> {
  return defineKind<T>({ group, version: "v1", kind, plural, scope });
}

/** The rules that are granted to a service account. */
export interface GrantedRules {
  /** In its own namespace. */
  readonly all: readonly PolicyRule[];
  readonly cluster: readonly PolicyRule[];
}

/** Returns the rules that are granted to a service account by its bindings. */
export async function rulesOfAccount(
  client: Client,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<GrantedRules> {
  const isBound = ({ metadata, subjects = [] }: RoleBinding | ClusterRoleBinding): boolean =>
    subjects.some(
      (each) =>
        each.kind === "ServiceAccount" &&
        each.name === name &&
        (each.namespace ?? metadata.namespace ?? namespace) === namespace,
    );
  const [own, everywhere] = await Promise.all([
    client.list(RoleBindingKind, { namespace }),
    client.list(ClusterRoleBindingKind),
  ]);
  const rulesOf = async ({ roleRef }: RoleBinding | ClusterRoleBinding): Promise<PolicyRule[]> => {
    const role =
      roleRef.kind === "Role"
        ? await client.getOrUndefined(RoleKind, { namespace, name: roleRef.name })
        : await client.getOrUndefined(ClusterRoleKind, { name: roleRef.name });
    return role?.rules ?? [];
  };
  const cluster = (await Promise.all(everywhere.items.filter(isBound).map(rulesOf))).flat();
  const local = (await Promise.all(own.items.filter(isBound).map(rulesOf))).flat();
  return { cluster, all: [...cluster, ...local] };
}

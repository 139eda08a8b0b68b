import {
  RoleKind,
  RoleBindingKind,
  ClusterRoleKind,
  ClusterRoleBindingKind,
} from "../simulation/context/simulated-kinds.ts";
import type { ClusterRoleBinding, PolicyRule, RoleBinding } from "../../k8s/rbac/v1.ts";
import type { Client } from "../../client/client.ts";

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

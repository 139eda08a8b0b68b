import { setCondition } from "../../apimachinery/conditions.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import type { Named } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import {
  ServiceAccountKind,
  RoleKind,
  RoleBindingKind,
  ClusterRoleKind,
  ClusterRoleBindingKind,
} from "../simulation/context/simulated-kinds.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { OperatorGroupKind, type ObjectReference, type OperatorGroup } from "../../client/manifests/olm-kinds.ts";
import type { ClusterRoleBinding, PolicyRule, RoleBinding } from "../../k8s/rbac/v1.ts";

/** By which account operators are installed in a namespace; or why they are not. */
type InstallingAccount = { readonly problem: string } | { readonly account: ObjectReference | undefined };

/** Returns the account that the OperatorGroup of a namespace names. */
export async function findAccount(client: Client, namespace: string | undefined): Promise<InstallingAccount> {
  const { items } = await client.list(OperatorGroupKind, { namespace });
  const [group, ...others] = items.filter(({ status }) => status?.namespaces?.length);
  if (!group) return { problem: "no operator group found that is managing this namespace" };
  if (others.length > 0) return { problem: "more than one operator group manages this namespace" };
  const account = group.status?.serviceAccountRef;
  const name = group.spec?.serviceAccountName;
  if (name && !account) return { problem: `the service account ${name} of ${group.metadata.name} does not exist` };
  return { account: name ? account : undefined };
}

/** Returns the client that installs for an account: with the account's permissions, or with OLM's. */
export function clientOf(context: SimulationContext, account: ObjectReference | undefined, own: Client): Client {
  return account ? context.clientOfAccount(account.namespace, account.name) : own;
}

/**
 * Returns the status of a group with its account, or with the condition that it is missing; `undefined` if nothing
 * changes.
 */
export async function statusOfAccount(
  client: Client,
  { metadata, spec, status }: Named<OperatorGroup>,
  now: string,
): Promise<OperatorGroup["status"] | undefined> {
  const { namespace = "" } = metadata;
  const { serviceAccountName: name = "" } = spec ?? {};
  const found = name ? await client.getOrUndefined(ServiceAccountKind, { namespace, name }) : undefined;
  const type = "OperatorGroupServiceAccount";
  const { serviceAccountRef: _, conditions: known = [], ...rest } = status ?? { lastUpdated: now };
  const conditions = known.filter((each) => each.type !== type || (name && !found)).map((each) => ({ ...each }));
  if (name && !found) {
    const message = `ServiceAccount ${name} not found`;
    setCondition(conditions, {
      type,
      status: "True",
      reason: "ServiceAccountNotFound",
      message,
      lastTransitionTime: now,
    });
  }
  const { uid = "" } = found?.metadata ?? {};
  const next = {
    ...rest,
    ...(conditions.length > 0 && { conditions }),
    ...(found && { serviceAccountRef: { apiVersion: "v1", kind: "ServiceAccount", namespace, name, uid } }),
  };
  return equalJson(next, status ?? rest) ? undefined : { ...next, lastUpdated: now };
}

/** The rules that are granted to a service account. */
interface GrantedRules {
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

import { equalJson } from "../../apimachinery/equal.ts";
import { objectKey, type Condition, type Named } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import { ServiceAccountKind } from "../simulation/context/simulated-kinds.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { mergePatch } from "../../client/patches.ts";
import { OperatorGroupKind, type ObjectReference, type OperatorGroup } from "../../manifests/olm-kinds.ts";

/** By which account operators are installed in a namespace; or why they are not. */
export type InstallingAccount = { readonly problem: string } | { readonly account: ObjectReference | undefined };

/** Returns the account that the OperatorGroup of a namespace names. */
export async function findAccount(client: Client, namespace: string | undefined): Promise<InstallingAccount> {
  const { items } = await client.list(OperatorGroupKind, { namespace });
  const groups = items.filter(({ status }) => status?.namespaces?.length);
  const [group] = groups;
  if (!group) return { problem: "no operator group found that is managing this namespace" };
  if (groups.length > 1)
    return { problem: `more than one operator group(s) are managing this namespace count=${groups.length}` };
  const { serviceAccountName: name } = group.spec ?? {};
  const account = group.status?.serviceAccountRef;
  if (!name || account) return { account: name ? account : undefined };
  const place = `${group.metadata.namespace}/${group.metadata.name}`;
  return { problem: `please make sure the service account exists. sa=${name} operatorgroup=${place}` };
}

/** Returns the client that installs for an account: with its permissions, or with those of OLM. */
export function clientOf(context: SimulationContext, account: ObjectReference | undefined, own: Client): Client {
  return account ? context.clientOfAccount(account.namespace, account.name) : own;
}

/** Returns the status of a group with its account, or with the condition that there is none; `undefined` if it is so. */
export async function statusOfAccount(
  client: Client,
  { metadata, spec, status }: Named<OperatorGroup>,
  now: string,
): Promise<OperatorGroup["status"] | undefined> {
  const name = spec?.serviceAccountName;
  const type = "OperatorGroupServiceAccount";
  const found = name
    ? await client.getOrUndefined(ServiceAccountKind, { namespace: metadata.namespace, name })
    : undefined;
  const { serviceAccountRef: known, conditions = [], ...rest } = status ?? { lastUpdated: now };
  const others = conditions.filter((each) => each.type !== type);
  const missing: Condition = {
    type,
    status: "True",
    reason: "ServiceAccountNotFound",
    message: `ServiceAccount ${name} not found`,
    lastTransitionTime: conditions.find((each) => each.type === type)?.lastTransitionTime ?? now,
  };
  if (found && found.metadata.labels?.["olm.managed"] === undefined)
    await client.patch(
      ServiceAccountKind,
      objectKey(found),
      mergePatch({ metadata: { labels: { "olm.managed": "true" } } }),
    );
  const { namespace = "", uid = "" } = found?.metadata ?? {};
  const reference = { apiVersion: "v1", kind: "ServiceAccount", namespace, name: name ?? "", uid };
  const shown = name && !found ? [...others, missing] : others;
  const next = {
    ...rest,
    ...(shown.length > 0 && { conditions: shown }),
    ...(found && { serviceAccountRef: known?.uid === uid ? known : reference }),
  };
  return equalJson(next, status ?? rest) ? undefined : { ...next, lastUpdated: now };
}

import { objectKey, type KubeObject } from "../../apimachinery/meta.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import type { Client } from "../../client/client.ts";
import { createOrReplace } from "../../client/manifests/install-crds.ts";
import { OperatorConditionKind, type CsvObject, type OperatorGroup } from "../../client/manifests/olm-kinds.ts";
import {
  DeploymentKind,
  type Deployment,
  ClusterRoleBindingKind,
  ClusterRoleKind,
  RoleBindingKind,
  RoleKind,
  webhookConfigurationKinds,
} from "../simulation/context/simulated-kinds.ts";
import { pair } from "./bundle-steps.ts";
import { csvDeployments } from "./csv-requirements.ts";
import { accountNames, hashedName, ownerLabels, ownerReference } from "./owned-names.ts";
import { installWebhooks, certificateAuthorities, installWebhookServers } from "./install-webhooks.ts";

/** Creates the webhooks and the deployments of a CSV. */
export async function installCsv(client: Client, csv: CsvObject, group: OperatorGroup): Promise<void> {
  const servers = await installWebhookServers(client, csv);
  const authorities = new Map([...servers].map(([name, { caBundle }]) => [name, caBundle]));
  for (const deployment of csvDeployments(csv, authorities)) await createOrReplace(client, DeploymentKind, deployment);
  await installWebhooks(client, csv, { operatorGroup: group, servers });
}

/** Creates the OperatorCondition of the CSV, and lets its service accounts write it. */
export async function installOperatorCondition(client: Client, csv: CsvObject): Promise<void> {
  const { name = "", namespace = "" } = csv.metadata;
  const { deployments = [] } = csv.spec.install?.spec ?? {};
  const accounts = accountNames(csv);
  const owner = { ...ownerReference(csv), controller: true };
  const condition = await client.getOrUndefined(OperatorConditionKind, { namespace, name });
  const { uid = "" } =
    condition?.metadata ??
    (
      await client.create(OperatorConditionKind, {
        apiVersion: "operators.coreos.com/v2",
        kind: "OperatorCondition",
        metadata: { name, namespace, ownerReferences: [owner] },
        spec: { deployments: deployments.map((each) => each.name), serviceAccounts: accounts },
      })
    ).metadata;
  const metadata = {
    name,
    namespace,
    labels: { "olm.managed": "true" },
    ownerReferences: [{ ...owner, apiVersion: "operators.coreos.com/v2", kind: "OperatorCondition", uid }],
  };
  const rule = { apiGroups: ["operators.coreos.com"], resources: ["operatorconditions"], resourceNames: [name] };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name };
  const subjects = accounts.map((account) => ({ kind: "ServiceAccount", name: account }));
  const apiVersion = "rbac.authorization.k8s.io/v1";
  await createOrReplace(client, RoleKind, {
    apiVersion,
    kind: "Role",
    metadata,
    rules: [{ ...rule, verbs: ["get", "update", "patch"] }],
  });
  await createOrReplace(client, RoleBindingKind, { apiVersion, kind: "RoleBinding", metadata, roleRef, subjects });
}

/** Grants the namespaced permissions in all namespaces. */
export async function grantEverywhere(client: Client, csv: CsvObject): Promise<void> {
  const { permissions = [] } = csv.spec.install?.spec ?? {};
  const { name: csvName = "", namespace } = csv.metadata;
  for (const { serviceAccountName, rules } of permissions) {
    const role = hashedName(`${csvName}-${serviceAccountName}`, [csvName, serviceAccountName, rules]);
    // The InstallPlan creates the role, maybe after the CSV.
    if (!(await client.getOrUndefined(RoleKind, { namespace, name: role }))) continue;
    const read = { verbs: ["get", "list", "watch"], apiGroups: [""], resources: ["namespaces"] };
    const wanted = { role, serviceAccountName, rules: [...rules, read] };
    for (const object of pair(csv, { ...wanted, kind: "ClusterRole" }))
      await createOrReplace(client, await client.kindFor(object.apiVersion ?? "", object.kind ?? ""), object);
  }
}

export type DeploymentProblem =
  | { readonly type: "missing" }
  | { readonly type: "waiting" | "failed"; readonly message: string };

/** Returns why the deployments of a CSV are not as it wants them. */
export async function deploymentProblem(client: Client, csv: CsvObject): Promise<DeploymentProblem | undefined> {
  const { namespace } = csv.metadata;
  const deployments = csvDeployments(csv, await certificateAuthorities(client, csv));
  const served = new Set(deployments.map(({ metadata }) => metadata.name));
  // No certificate is made for such a webhook, so that it is never available.
  if (csv.spec.webhookdefinitions?.some(({ deploymentName }) => !served.has(deploymentName)))
    return { type: "missing" };
  for (const wanted of deployments) {
    const name = wanted.metadata.name ?? "";
    const found = await client.getOrUndefined(DeploymentKind, { namespace, name });
    const hash = "olm.deployment-spec-hash";
    if (!found || found.metadata.labels?.[hash] !== wanted.metadata.labels?.[hash]) return { type: "missing" };
    const problem = problemOf(found);
    if (problem) return { ...problem, message: `deployment ${name} is not ready: ${problem.message}` };
  }
  return undefined;
}

function problemOf({ metadata, status = {} }: Deployment): Exclude<DeploymentProblem, { type: "missing" }> | undefined {
  if ((metadata.generation ?? 0) > (status.observedGeneration ?? 0))
    return { type: "waiting", message: "its controller has not seen it" };
  const condition = (type: string) => status.conditions?.find((each) => each.type === type);
  if (condition("Progressing")?.reason === "ProgressDeadlineExceeded")
    return { type: "failed", message: "it exceeded its progress deadline" };
  const outdated = (status.replicas ?? 0) - (status.updatedReplicas ?? 0);
  if (outdated > 0) return { type: "waiting", message: `${outdated} outdated replica(s) must end` };
  const available = condition("Available");
  if (available?.status === "True") return undefined;
  return { type: "waiting", message: `it is not available: ${available?.message ?? "no condition says so"}` };
}

/** Deletes the cluster-scoped objects of a CSV, which the garbage collector does not delete. */
export async function removeClusterObjects(client: Client, csv: CsvObject): Promise<void> {
  const { "olm.managed": _, ...labels } = ownerLabels(csv);
  for (const kind of [ClusterRoleBindingKind, ClusterRoleKind, ...webhookConfigurationKinds]) {
    const { items } = await client.list<KubeObject>(kind, { labels });
    for (const object of items) await client.delete(kind, objectKey(object)).catch(ignoreNotFound);
  }
}

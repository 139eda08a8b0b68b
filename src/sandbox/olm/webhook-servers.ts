import { issueCertificates } from "../../apimachinery/certificates/issue-certificates.ts";
import type { LabelSelector } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import { createOrReplace } from "../../client/manifests/install-crds.ts";
import type { CsvObject, WebhookDescription } from "../../client/manifests/olm-kinds.ts";
import {
  SecretKind,
  ServiceKind,
  ClusterRoleBindingKind,
  RoleBindingKind,
  RoleKind,
} from "../simulation/context/simulated-kinds.ts";
import { certificateSecret, serviceName } from "./csv-requirements.ts";
import { ownerLabels, ownerReference } from "./owned-names.ts";

/** The service and the certificate that the webhooks of a deployment share. */
export interface WebhookServer {
  readonly name: string;
  readonly caBundle: string;
}

/** Creates the services and the certificates of the webhooks of a CSV; returns them by deployment. */
export async function installWebhookServers(client: Client, csv: CsvObject): Promise<Map<string, WebhookServer>> {
  const webhooks = csv.spec.webhookdefinitions ?? [];
  const servers = new Map<string, WebhookServer>();
  for (const deployment of webhookDeployments(csv)) {
    const own = webhooks.filter(({ deploymentName = "" }) => deploymentName === deployment);
    servers.set(deployment, await installServer(client, csv, deployment, own));
  }
  return servers;
}

async function installServer(
  client: Client,
  csv: CsvObject,
  deployment: string,
  webhooks: readonly WebhookDescription[],
): Promise<WebhookServer> {
  const { namespace = "" } = csv.metadata;
  const name = serviceName(deployment);
  const ownerReferences = [ownerReference(csv)];
  const labels = { "olm.managed": "true" };
  const wanted = csv.spec.install?.spec?.deployments?.find((each) => each.name === deployment);
  const numbers = [...new Map(webhooks.map((each) => [each.containerPort ?? 443, each])).entries()];
  const ports = numbers.map(([port, { targetPort }]) => ({ name: String(port), port, targetPort: targetPort ?? port }));
  const selector = (wanted?.spec["selector"] as LabelSelector | undefined)?.matchLabels ?? {};
  if (!(await client.getOrUndefined(ServiceKind, { namespace, name }))) {
    const metadata = { name, namespace, labels, ownerReferences };
    await client.create(ServiceKind, { apiVersion: "v1", kind: "Service", metadata, spec: { ports, selector } });
  }
  const secretName = certificateSecret(deployment);
  const account = wanted?.spec.template.spec.serviceAccountName ?? "default";
  await grantServer(client, csv, { name, secretName, account });
  const known = await client.getOrUndefined(SecretKind, { namespace, name: secretName });
  if (known) return { name, caBundle: known.data?.["olmCAKey"] ?? "" };
  const hosts = ["", ".svc", ".svc.cluster.local"].map((end) => `${name}.${namespace}${end}`);
  const { ca, server } = issueCertificates(hosts, Date.now());
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const data = { "tls.crt": base64(server.cert), "tls.key": base64(server.key), olmCAKey: base64(ca) };
  const metadata = { name: secretName, namespace, labels, ownerReferences };
  await client.create(SecretKind, { apiVersion: "v1", kind: "Secret", type: "kubernetes.io/tls", metadata, data });
  return { name, caBundle: data.olmCAKey };
}

/**
 * Returns the names of the deployments that serve webhooks: the deployments of the CSV, even if a webhook names
 * another.
 */
function webhookDeployments({ spec }: CsvObject): string[] {
  const names = new Set(spec.webhookdefinitions?.map(({ deploymentName }) => deploymentName));
  return (spec.install?.spec?.deployments ?? []).map(({ name }) => name).filter((name) => names.has(name));
}

/** Lets the server of webhooks read its certificate, and how to authenticate and authorize those who call it. */
async function grantServer(
  client: Client,
  csv: CsvObject,
  { name, secretName, account }: { readonly name: string; readonly secretName: string; readonly account: string },
): Promise<void> {
  const { namespace = "" } = csv.metadata;
  const subjects = [{ kind: "ServiceAccount", name: account, namespace }];
  const rules = [{ verbs: ["get"], apiGroups: [""], resources: ["secrets"], resourceNames: [secretName] }];
  const refer = (kind: string, role: string) => ({ apiGroup: "rbac.authorization.k8s.io", kind, name: role });
  const labels = { "olm.managed": "true" };
  const metadata = { name: secretName, namespace, labels, ownerReferences: [ownerReference(csv)] };
  await createOrReplace(client, RoleKind, { metadata, rules });
  await createOrReplace(client, RoleBindingKind, { metadata, roleRef: refer("Role", secretName), subjects });
  await createOrReplace(client, ClusterRoleBindingKind, {
    metadata: { name: `${name}-system:auth-delegator`, labels: ownerLabels(csv) },
    roleRef: refer("ClusterRole", "system:auth-delegator"),
    subjects,
  });
  await createOrReplace(client, RoleBindingKind, {
    metadata: { name: `${name}-auth-reader`, namespace: "kube-system", labels },
    roleRef: refer("Role", "extension-apiserver-authentication-reader"),
    subjects,
  });
}

/** Returns the authorities of the certificates of a CSV's deployments; `undefined` for one that is missing. */
export async function certificateAuthorities(
  client: Client,
  csv: CsvObject,
): Promise<ReadonlyMap<string, string | undefined>> {
  const { namespace = "" } = csv.metadata;
  const found = webhookDeployments(csv).map(async (deployment) => {
    const secret = await client.getOrUndefined(SecretKind, { namespace, name: certificateSecret(deployment) });
    return [deployment, secret?.data?.["olmCAKey"]] as const;
  });
  return new Map(await Promise.all(found));
}

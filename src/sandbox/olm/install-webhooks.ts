import { apiVersionOf } from "../../apimachinery/kind.ts";
import type { Client } from "../../client/client.ts";
import { createOrReplace, CustomResourceDefinition } from "../../client/manifests/install-crds.ts";
import type { CsvObject, OperatorGroup, WebhookDescription } from "../../client/manifests/olm-kinds.ts";
import { serviceName, certificateSecret } from "./csv-requirements.ts";
import { groupLabel } from "./operator-group-controller.ts";
import { hashOf, ownerLabels, ownerReference } from "./owned-names.ts";
import {
  MutatingWebhookConfigurationKind,
  ValidatingWebhookConfigurationKind,
  SecretKind,
  ServiceKind,
  ClusterRoleBindingKind,
  RoleBindingKind,
  RoleKind,
} from "../simulation/context/simulated-kinds.ts";
import { issueCertificates } from "../../apimachinery/certificates/issue-certificates.ts";
import type { LabelSelector } from "../../apimachinery/meta.ts";

/** Creates the configurations of the webhooks of a CSV, after its deployments, as OLM does. */
export async function installWebhooks(
  client: Client,
  csv: CsvObject,
  {
    operatorGroup,
    servers,
  }: { readonly operatorGroup: OperatorGroup; readonly servers: ReadonlyMap<string, WebhookServer> },
): Promise<void> {
  for (const webhook of csv.spec.webhookdefinitions ?? []) {
    // A webhook that names no deployment of the CSV has no certificate, and the CSV is never installed.
    const server = servers.get(webhook.deploymentName ?? "") ?? {
      name: serviceName(webhook.deploymentName ?? ""),
      caBundle: "",
    };
    if (webhook.type === "ConversionWebhook") await routeConversions(client, csv, webhook, server);
    else await configure(client, csv, { webhook, server, operatorGroup });
  }
}

/** Returns why OLM refuses the webhooks of a CSV: two have one name, or one could lock OLM out. */
export function invalidWebhooks({ spec }: CsvObject): string | undefined {
  const webhooks = spec.webhookdefinitions ?? [];
  if (new Set(webhooks.map(({ generateName }) => generateName)).size < webhooks.length)
    return "two webhooks have the same generateName";
  const isForbidden = (rule: { apiGroups?: string[]; resources?: string[] }): boolean =>
    rule.apiGroups?.some((group) => group === "*" || group === "operators.coreos.com") ||
    (rule.apiGroups?.includes("admissionregistration.k8s.io") &&
      // OLM looks for the names of the kinds, although rules name resources.
      rule.resources?.some((each) => each === "*" || /^(Mutating|Validating)WebhookConfiguration$/.test(each))) ||
    false;
  const found = webhooks.find(({ rules = [] }) => (rules as object[]).some(isForbidden));
  return (
    found &&
    `the rules of webhook ${found.generateName} include all API groups, that of OLM, or configurations of webhooks`
  );
}

function clientConfig(csv: CsvObject, webhook: WebhookDescription, { name, caBundle }: WebhookServer): object {
  const { webhookPath: path = "/", containerPort: port = 443 } = webhook;
  return { ...(caBundle && { caBundle }), service: { name, namespace: csv.metadata.namespace, path, port } };
}

async function configure(
  client: Client,
  csv: CsvObject,
  {
    webhook,
    server,
    operatorGroup,
  }: { webhook: WebhookDescription; server: WebhookServer; operatorGroup: OperatorGroup },
): Promise<void> {
  const isMutating = webhook.type === "MutatingAdmissionWebhook";
  const kind = isMutating ? MutatingWebhookConfigurationKind : ValidatingWebhookConfigurationKind;
  const label = "olm.webhook-description-generate-name";
  const labels = {
    ...ownerLabels(csv),
    [label]: webhook.generateName,
    "olm.webhook-description-hash": hashOf(webhook),
  };
  const isGlobal = operatorGroup.status?.namespaces?.includes("") ?? true;
  const fields = ["rules", "failurePolicy", "matchPolicy", "objectSelector", "sideEffects", "timeoutSeconds"];
  const more = ["admissionReviewVersions", ...(isMutating ? ["reinvocationPolicy"] : [])];
  const content = Object.fromEntries(
    [...fields, ...more].flatMap((key) => (key in webhook ? [[key, webhook[key]]] : [])),
  );
  const entry = {
    ...content,
    name: webhook.generateName,
    namespaceSelector: isGlobal ? {} : { matchLabels: { [groupLabel(operatorGroup)]: "" } },
    clientConfig: clientConfig(csv, webhook, server),
  };
  const { items } = await client.list(kind, {
    labels: { [label]: webhook.generateName, "olm.owner": csv.metadata.name ?? "" },
  });
  for (const existing of items) await client.update(kind, { ...existing, webhooks: [entry] });
  if (items.length > 0) return;
  const metadata = { generateName: `${webhook.generateName}-`, labels };
  await client.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, webhooks: [entry] });
}

async function routeConversions(
  client: Client,
  csv: CsvObject,
  webhook: WebhookDescription,
  server: WebhookServer,
): Promise<void> {
  for (const name of webhook.conversionCRDs ?? []) {
    const crd = await client.get(CustomResourceDefinition, { name });
    const conversion = {
      strategy: "Webhook",
      webhook: {
        clientConfig: clientConfig(csv, webhook, server),
        conversionReviewVersions: webhook["admissionReviewVersions"],
      },
    };
    await client.update(CustomResourceDefinition, { ...crd, spec: { ...(crd["spec"] as object), conversion } });
  }
}

/** The service and the certificate that the webhooks of a deployment share. */
interface WebhookServer {
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

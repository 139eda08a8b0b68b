import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import { issueCertificates } from "../../apimachinery/certificates/issue-certificates.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import { CustomResourceDefinition } from "../../manifests/install-crds.ts";
import type { CsvObject, OperatorGroup, WebhookDescription } from "../../manifests/olm-kinds.ts";
import { certificateSecret, serviceName } from "./csv-deployments.ts";
import { groupLabel } from "./operator-group-controller.ts";
import { ownerLabels, ownerReference } from "./owned-names.ts";

const group = "admissionregistration.k8s.io";
const configuration = (kind: string, plural: string): Kind<UnstructuredObject> =>
  defineKind({ group, version: "v1", kind, plural, scope: "Cluster" });
const core = (kind: string, plural: string): Kind<UnstructuredObject> =>
  defineKind({ group: "", version: "v1", kind, plural });
const Mutating = configuration("MutatingWebhookConfiguration", "mutatingwebhookconfigurations");
const Validating = configuration("ValidatingWebhookConfiguration", "validatingwebhookconfigurations");
const Secret = core("Secret", "secrets");
const Service = core("Service", "services");

export const webhookConfigurationKinds: readonly Kind<UnstructuredObject>[] = [Mutating, Validating];

/** The service and the certificate that the webhooks of a deployment share. */
export interface WebhookServer {
  readonly name: string;
  readonly caBundle: string;
}

/** Creates the services and the certificates of the webhooks of a CSV; returns them by deployment. */
export async function installWebhookServers(client: Client, csv: CsvObject): Promise<Map<string, WebhookServer>> {
  const webhooks = csv.spec.webhookdefinitions ?? [];
  const servers = new Map<string, WebhookServer>();
  for (const deployment of new Set(webhooks.map(({ deploymentName = "" }) => deploymentName))) {
    const own = webhooks.filter(({ deploymentName = "" }) => deploymentName === deployment);
    servers.set(deployment, await installServer(client, csv, deployment, own));
  }
  return servers;
}

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
    const server = servers.get(webhook.deploymentName ?? "")!;
    if (webhook.type === "ConversionWebhook") await routeConversions(client, csv, webhook, server);
    else await configure(client, csv, { webhook, server, operatorGroup });
  }
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
  const labels = ownerLabels(csv);
  const wanted = csv.spec.install?.spec?.deployments?.find((each) => each.name === deployment);
  const numbers = [...new Map(webhooks.map((each) => [each.containerPort ?? 443, each])).entries()];
  const ports = numbers.map(([port, { targetPort }]) => ({ name: String(port), port, targetPort: targetPort ?? port }));
  const selector = (wanted?.spec["selector"] as { matchLabels?: object } | undefined)?.matchLabels ?? {};
  if (!(await client.getOrUndefined(Service, { namespace, name }))) {
    const metadata = { name, namespace, labels, ownerReferences };
    await client.create(Service, { apiVersion: "v1", kind: "Service", metadata, spec: { ports, selector } });
  }
  const secretName = certificateSecret(deployment);
  const known = await client.getOrUndefined(Secret, { namespace, name: secretName });
  if (known) return { name, caBundle: (known["data"] as Record<string, string>)["olmCAKey"] ?? "" };
  const { ca, server } = issueCertificates([`${name}.${namespace}`, `${name}.${namespace}.svc`], Date.now());
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const data = { "tls.crt": base64(server.cert), "tls.key": base64(server.key), olmCAKey: base64(ca) };
  const metadata = { name: secretName, namespace, labels, ownerReferences };
  await client.create(Secret, { apiVersion: "v1", kind: "Secret", type: "kubernetes.io/tls", metadata, data });
  return { name, caBundle: data.olmCAKey };
}

function clientConfig(csv: CsvObject, webhook: WebhookDescription, { name, caBundle }: WebhookServer): object {
  const { webhookPath: path = "/", containerPort: port = 443 } = webhook;
  return { caBundle, service: { name, namespace: csv.metadata.namespace, path, port } };
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
  const kind = webhook.type === "MutatingAdmissionWebhook" ? Mutating : Validating;
  const label = "olm.webhook-description-generate-name";
  const labels = { ...ownerLabels(csv), [label]: webhook.generateName };
  const isGlobal = operatorGroup.status?.namespaces?.includes("") ?? true;
  const fields = ["rules", "failurePolicy", "matchPolicy", "objectSelector", "sideEffects", "timeoutSeconds"];
  const more = ["admissionReviewVersions", ...(kind === Mutating ? ["reinvocationPolicy"] : [])];
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
  if (items.length > 0) return;
  const metadata = { generateName: `${webhook.generateName}-`, labels };
  const apiVersion = `${group}/v1`;
  await client.create(kind, { apiVersion, kind: kind.kind, metadata, webhooks: [entry] });
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

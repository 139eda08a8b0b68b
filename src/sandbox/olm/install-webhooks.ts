import { apiVersionOf } from "../../apimachinery/kind.ts";
import type { Client } from "../../client/client.ts";
import { CustomResourceDefinition } from "../../client/manifests/install-crds.ts";
import type { CsvObject, OperatorGroup, WebhookDescription } from "../../client/manifests/olm-kinds.ts";
import { serviceName } from "./csv-requirements.ts";
import { groupLabel } from "./operator-group-controller.ts";
import { hashOf, ownerLabels } from "./owned-names.ts";
import {
  MutatingWebhookConfigurationKind,
  ValidatingWebhookConfigurationKind,
} from "../simulation/context/simulated-kinds.ts";
import type { WebhookServer } from "./webhook-servers.ts";

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

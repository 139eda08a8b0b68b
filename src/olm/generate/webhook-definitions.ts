import { compareText } from "../../apimachinery/compare-text.ts";
import { groupBy } from "../../apimachinery/group-by.ts";
import type { WebhookDescription } from "../csv/csv.ts";
import type { Crd, WebhookClient } from "../bundle/crd.ts";
import type { Collection, Deployment, Service, Webhook } from "./collect.ts";

type Input = Pick<Collection, "mutatingWebhooks" | "validatingWebhooks" | "services" | "deployments" | "crds">;

/** Returns the webhooks as OLM expects them: OLM creates the Services, certificates and configurations. */
export function webhookDefinitions(input: Input, warn: (text: string) => void): WebhookDescription[] {
  for (const webhook of [...input.mutatingWebhooks, ...input.validatingWebhooks]) {
    const lost = omitted.filter((field) => webhook[field] !== undefined);
    if (lost.length > 0)
      warn(
        `webhook ${webhook.name}: a CSV has no ${lost.join(" and ")}, so that OLM calls it for more objects: look at them in the handler, or use an objectSelector`,
      );
  }
  const admission = (type: WebhookDescription["type"]) => (webhook: Webhook) => admissionWebhook(webhook, type, input);
  return [
    ...input.mutatingWebhooks.map(admission("MutatingAdmissionWebhook")),
    ...input.validatingWebhooks.map(admission("ValidatingAdmissionWebhook")),
    ...conversionWebhooks(input),
  ].toSorted((a, b) => compareText(a.generateName, b.generateName));
}

/** What the configuration of a webhook has, and its description in a CSV has not. */
const omitted = ["namespaceSelector", "matchConditions"];
const copied = ["rules", "failurePolicy", "matchPolicy", "objectSelector", "timeoutSeconds", "reinvocationPolicy"];

function admissionWebhook(webhook: Webhook, type: WebhookDescription["type"], input: Input): WebhookDescription {
  const fields = copied
    .filter((field) => webhook[field] !== undefined)
    .map((field) => [field, webhook[field]] as const);
  return {
    type,
    generateName: webhook.name,
    admissionReviewVersions: webhook.admissionReviewVersions ?? ["v1beta1"],
    sideEffects: webhook.sideEffects ?? "None",
    ...Object.fromEntries(fields),
    ...servedBy(webhook.clientConfig, input),
  };
}

function conversionWebhooks(input: Input): WebhookDescription[] {
  const converted = input.crds.flatMap((crd) => {
    const client = conversionClient(crd);
    const isKnown = input.services.some(({ metadata }) => metadata.name === client?.service?.name);
    return client && isKnown ? [{ crd, client }] : [];
  });
  const groups = groupBy(converted, ({ client }) => {
    const { name, port = 443 } = client.service!;
    return `${name}:${port}${pathOf(client)}`;
  });
  return [...groups.values()].map((group) => {
    const { crd, client } = group[0]!;
    const names = group.map(({ crd }) => crd.metadata.name ?? "").toSorted();
    return {
      type: "ConversionWebhook",
      generateName: `c${names.map((name) => name.split(".")[0]).join("")}.kb.io`,
      conversionCRDs: names,
      admissionReviewVersions: reviewVersions(crd),
      sideEffects: "None",
      ...servedBy({ service: { ...client.service!, path: pathOf(client) } }, input),
    };
  });
}

function conversionClient({ spec }: Crd): WebhookClient | undefined {
  const { conversion } = spec;
  return conversion?.strategy === "Webhook"
    ? (conversion.webhook?.clientConfig ?? conversion.webhookClientConfig)
    : undefined;
}

function reviewVersions({ spec }: Crd): string[] {
  return spec.conversion?.webhook?.conversionReviewVersions ?? spec.conversion?.conversionReviewVersions ?? ["v1beta1"];
}

function pathOf({ service }: WebhookClient): string {
  return service?.path ?? "/";
}

/** Finds the Deployment behind the webhook's Service, which OLM needs; `undefined` for a webhook with a URL. */
function servedBy({ service }: WebhookClient, { services, deployments }: Input): Partial<WebhookDescription> {
  if (!service) return {};
  const found = services.find(({ metadata }) => metadata.name === service.name);
  const deployment = found && deployments.find((candidate) => isSelected(candidate, found));
  const port = found?.spec?.ports?.find(({ port }) => port === (service.port ?? 443));
  return {
    deploymentName: deployment?.metadata.name ?? service.name.replace(/-service$/, ""),
    ...(port ? { containerPort: port.port } : {}),
    ...(port?.targetPort === undefined ? {} : { targetPort: port.targetPort }),
    ...(service.path === undefined ? {} : { webhookPath: service.path }),
  };
}

function isSelected({ spec }: Deployment, service: Service): boolean {
  const selector = Object.entries(service.spec?.selector ?? {});
  if (service.spec?.type === "ExternalName" || selector.length === 0) return false;
  const labels = spec.template?.metadata?.labels ?? {};
  return selector.every(([key, value]) => labels[key] === value);
}

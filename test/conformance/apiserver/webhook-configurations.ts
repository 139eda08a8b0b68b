import type { RequestStep, Step } from "./scenario.ts";
import { maps } from "./steps.ts";
import { DELETE, POST } from "./requests.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
export const rule: Readonly<Record<string, readonly string[]>> = {
  apiGroups: [""],
  apiVersions: ["v1"],
  resources: ["configmaps"],
};

/** A webhook for the config maps of the scenario's namespace with the label `case: <name>`. */
export function webhook(name: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: `${name}.example.com`,
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    timeoutSeconds: 1,
    clientConfig: { url: `{webhook}/${name}`, caBundle: "{ca}" },
    rules: [{ ...rule, operations: ["CREATE"] }],
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } },
    objectSelector: { matchLabels: { case: name } },
    ...fields,
  };
}

/** Configures, and waits until the server knows: it learns of configurations a moment later. */
export function configure(kind: "Validating" | "Mutating", name: string, webhooks: readonly unknown[]): Step[] {
  const probe = webhook("deny", { name: "probe.example.com", objectSelector: { matchLabels: { case: name } } });
  return [
    POST(
      `${group}/${kind.toLowerCase()}webhookconfigurations`,
      {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: `${kind}WebhookConfiguration`,
        metadata: { name },
        webhooks: [...webhooks, probe],
      },
      { unrecorded: true },
    ),
    { ...create(name), until: (_, status) => status === 400, unrecorded: true },
  ];
}

/** Removes a configuration, and waits until the server no longer calls its webhooks. */
export function remove(kind: "validating" | "mutating", name: string): Step[] {
  return [
    DELETE(`${group}/${kind}webhookconfigurations/${name}`, { unrecorded: true }),
    { ...create(name, "?dryRun=All"), until: (_, status) => status !== 400, unrecorded: true },
  ];
}

export function create(label: string, query = ""): RequestStep {
  return POST(`${maps}${query}`, { metadata: { name: `m-${label}`, labels: { case: label } } });
}

import { items, childIf, textOf, type Fields } from "../../apimachinery/fields.ts";
import type { ClientConfig } from "./config.ts";

/** The name of the extension by which a sandbox hands out its certificate for webhooks, in the entry of its cluster. */
export const kubeconfigExtension = "tsop";
export const webhookCertificateFields = { cert: "webhook-certificate-data", key: "webhook-key-data" } as const;

/** Returns the certificate for webhooks that the cluster of a kubeconfig trusts, if it names one. */
export function readWebhookCertificate(cluster: Fields): ClientConfig["webhookCertificate"] {
  const entry = items(cluster, "extensions").find(({ name }) => name === kubeconfigExtension);
  const extension = childIf(entry, "extension");
  const decode = (field: string): string => Buffer.from(textOf(extension?.[field]), "base64").toString();
  const [cert, key] = [decode(webhookCertificateFields.cert), decode(webhookCertificateFields.key)];
  return cert && key ? { cert, key } : undefined;
}

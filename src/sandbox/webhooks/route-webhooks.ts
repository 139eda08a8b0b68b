import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import { createOrReplace } from "../../client/manifests/install-crds.ts";
import type { WebhookEndpoint } from "./webhook-endpoint.ts";
import { webhookConfigurationKinds as kinds } from "../simulation/context/simulated-kinds.ts";

/** Reports whether an object is a configuration for `installWebhooks`. */
export function isWebhookConfiguration(object: UnstructuredObject): boolean {
  return kinds.some(({ kind }) => kind === object.kind);
}

/** Creates or updates webhook configurations, and replaces their services by the endpoint. */
export async function installWebhooks(
  client: Client,
  configurations: readonly UnstructuredObject[],
  endpoint: WebhookEndpoint,
): Promise<void> {
  for (const configuration of configurations) {
    const kind = kinds.find(({ kind }) => kind === configuration.kind);
    if (kind) await createOrReplace(client, kind, routeConfiguration(configuration, endpoint));
  }
}

/** Deletes webhook configurations. */
export async function removeWebhooks(client: Client, configurations: readonly UnstructuredObject[]): Promise<void> {
  for (const { kind: name, metadata } of configurations) {
    const kind = kinds.find(({ kind }) => kind === name);
    if (kind) await client.delete(kind, { name: metadata.name ?? "" }).catch(ignoreNotFound);
  }
}

/** Returns a webhook configuration whose webhooks are called at the endpoint instead of a service. */
export function routeConfiguration(configuration: UnstructuredObject, endpoint: WebhookEndpoint): UnstructuredObject {
  const webhooks = (configuration["webhooks"] ?? []) as { clientConfig: ClientConfig }[];
  return {
    ...configuration,
    webhooks: webhooks.map((webhook) => ({
      ...webhook,
      clientConfig: routeClientConfig(webhook.clientConfig, endpoint),
    })),
  };
}

/** Returns a CRD whose versions are converted at the endpoint instead of a service. */
export function routeConversion(crd: UnstructuredObject, endpoint: WebhookEndpoint): UnstructuredObject {
  const spec = crd["spec"] as { conversion?: { webhook?: { clientConfig?: ClientConfig } } };
  const clientConfig = spec.conversion?.webhook?.clientConfig;
  if (!clientConfig) return crd;
  const webhook = { ...spec.conversion?.webhook, clientConfig: routeClientConfig(clientConfig, endpoint) };
  return { ...crd, spec: { ...spec, conversion: { ...spec.conversion, webhook } } };
}

interface ClientConfig {
  readonly service?: { readonly path?: string };
  readonly url?: string;
  readonly caBundle?: string;
}

function routeClientConfig(clientConfig: ClientConfig, { url, caBundle }: WebhookEndpoint): ClientConfig {
  const { service } = clientConfig;
  return service ? { url: `${url}${service.path ?? ""}`, caBundle } : clientConfig;
}

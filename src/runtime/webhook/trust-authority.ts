import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import type { JsonPatchOperation } from "../../apimachinery/patch/json-patch.ts";
import type { Client } from "../../client/client.ts";
import { jsonPatch } from "../../client/patches.ts";

interface ClientConfig {
  readonly service?: { readonly namespace: string; readonly name: string };
  readonly caBundle?: string;
}

interface WebhookConfiguration extends KubeObject {
  webhooks?: readonly { readonly name: string; readonly clientConfig: ClientConfig }[];
}

interface CustomResourceDefinition extends KubeObject {
  spec: { readonly conversion?: { readonly webhook?: { readonly clientConfig?: ClientConfig } } };
}

const configurations: readonly Kind<WebhookConfiguration>[] = ["Mutating", "Validating"].map((type) =>
  defineKind<WebhookConfiguration>({
    group: "admissionregistration.k8s.io",
    version: "v1",
    kind: `${type}WebhookConfiguration`,
    plural: `${type.toLowerCase()}webhookconfigurations`,
    scope: "Cluster",
  }),
);

const CustomResourceDefinition: Kind<CustomResourceDefinition> = defineKind<CustomResourceDefinition>({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
});

/**
 * Makes the API server trust an authority (PEM text) for calls of a Service: in webhooks, and in conversions of CRDs.
 * Returns the names of the changed objects.
 */
export async function trustAuthority(
  client: Client,
  service: { readonly namespace: string; readonly name: string },
  ca: string,
): Promise<string[]> {
  const caBundle = Buffer.from(ca).toString("base64");
  const isToChange = (config: ClientConfig | undefined): boolean =>
    config?.service?.namespace === service.namespace &&
    config.service.name === service.name &&
    config.caBundle !== caBundle;
  const changed: string[] = [];
  const patch = async (kind: Kind, name: string, operations: JsonPatchOperation[]): Promise<void> => {
    if (operations.length === 0) return;
    await client.patch(kind, { name }, jsonPatch(operations));
    changed.push(`${kind.kind}/${name}`);
  };
  for (const kind of configurations) {
    for await (const { metadata, webhooks = [] } of client.listEach(kind)) {
      const operations = webhooks.flatMap(({ name, clientConfig }, index): JsonPatchOperation[] => {
        if (!isToChange(clientConfig)) return [];
        const path = `/webhooks/${index}`;
        return [
          { op: "test", path: `${path}/name`, value: name },
          { op: "add", path: `${path}/clientConfig/caBundle`, value: caBundle },
        ];
      });
      await patch(kind, metadata.name, operations);
    }
  }
  for await (const { metadata, spec } of client.listEach(CustomResourceDefinition, { limit: 50 })) {
    const path = "/spec/conversion/webhook/clientConfig/caBundle";
    const isOurs = isToChange(spec.conversion?.webhook?.clientConfig);
    await patch(CustomResourceDefinition, metadata.name, isOurs ? [{ op: "add", path, value: caBundle }] : []);
  }
  return changed;
}

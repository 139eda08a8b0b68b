import type { Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";

/** Creates an object or sets its content. */
export async function put<T extends KubeObject>(client: Client, kind: Kind<T>, object: T): Promise<void> {
  const { metadata } = object;
  const existing = await client.getOrUndefined(kind, { namespace: metadata.namespace, name: metadata.name ?? "" });
  if (!existing) {
    await client.create(kind, object);
    return;
  }
  const { resourceVersion } = existing.metadata;
  await client.update(kind, { ...object, metadata: { ...metadata, ...(resourceVersion && { resourceVersion }) } });
}

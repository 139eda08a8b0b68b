import type { Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import { isAlreadyExists } from "../../apimachinery/status.ts";
import type { Client } from "../client.ts";
import { retryOnConflict } from "../retry-on-conflict.ts";

/** Creates an object, or replaces the one of its name. */
export async function createOrReplace<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  object: T,
): Promise<"created" | "configured"> {
  try {
    await client.create(kind, object);
    return "created";
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await retryOnConflict(async () => {
      const { namespace, name = "" } = object.metadata;
      const { metadata } = await client.get(kind, { namespace, name });
      const { resourceVersion } = metadata;
      const current = { ...object.metadata, ...(resourceVersion && { resourceVersion }) };
      await client.update(kind, { ...object, metadata: current });
    });
    return "configured";
  }
}

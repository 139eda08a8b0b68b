import type { KubeObject } from "../apimachinery/meta.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { readManifests } from "../client/manifests/read-manifests.ts";

/**
 * Reads the one object of a manifest file, such as a sample: `readObject<Memcached>("config/samples/…yaml")`.
 *
 * @example
 * const sample = await readObject<Memcached>("config/samples/cache_v1alpha1_memcached.yaml");
 * await client.create(Memcached, { ...sample, metadata: { ...sample.metadata, namespace: "default" } });
 */
export async function readObject<T extends KubeObject>(file: string): Promise<T> {
  const manifests = await readManifests(file);
  const reason = `it has ${manifests.length} objects, one is expected`;
  if (manifests.length !== 1) throw new TsopError("TSOP_MANIFEST_INVALID", { file, reason });
  return manifests[0]!.object as KubeObject as T;
}

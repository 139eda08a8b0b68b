import { applyManifests, type AppliedObject, type ApplyTarget } from "../manifests/apply-manifests.ts";
import { readManifestsToApply, type Manifest } from "../manifests/read-manifests.ts";

/**
 * Returns a function that applies the manifests of files and folders; each later call applies those that have changed
 * since, so that the user's changes with kubectl stay.
 */
export function changedManifestsApplier(
  target: ApplyTarget,
  paths: readonly string[],
): () => Promise<readonly AppliedObject[]> {
  const applied = new Map<string, string>();
  return async () => {
    const manifests = (await Promise.all(paths.map(readManifestsToApply))).flat();
    const texts = manifests.map((manifest) => ({
      manifest,
      key: keyOf(manifest),
      text: JSON.stringify(manifest.object),
    }));
    const changed = texts.filter(({ key, text }) => applied.get(key) !== text);
    const objects = await applyManifests(
      target,
      changed.map(({ manifest }) => manifest),
    );
    for (const { key, text } of changed) applied.set(key, text);
    return objects;
  };
}

function keyOf({ file, object }: Manifest): string {
  const { name, generateName, namespace } = object.metadata;
  return JSON.stringify([file, object.apiVersion, object.kind, namespace, name ?? generateName]);
}

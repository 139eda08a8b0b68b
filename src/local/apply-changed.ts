import { resolve } from "node:path";
import { applyManifests, type AppliedObject, type ApplyTarget } from "../client/manifests/apply-manifests.ts";
import { readManifestsToApply, requireManifestFiles, type Manifest } from "../client/manifests/read-manifests.ts";

/** The manifests that the user wants to have applied. */
export interface ManifestsToApply {
  /** Absolute paths of files and folders. */
  readonly paths: readonly string[];
  /** The objects in them; none while they are watched, because they may change until they are applied. */
  readonly manifests: readonly Manifest[] | undefined;
}

/**
 * Fails before anything starts if there is nothing to apply. While the files are watched, the author can fix them, so
 * that only their paths must be right. Otherwise they are read here, and only here: one may be a pipe.
 */
export async function openManifests(paths: readonly string[], isWatched: boolean): Promise<ManifestsToApply> {
  if (!isWatched) return { paths, manifests: await readGiven("", paths) };
  await Promise.all(paths.map(requireManifestFiles));
  return { paths, manifests: undefined };
}

/** Reads the objects of files and folders. */
export async function readGiven(cwd: string, paths: readonly string[]): Promise<Manifest[]> {
  return (await Promise.all(paths.map((path) => readManifestsToApply(resolve(cwd, path))))).flat();
}

/**
 * Returns a function that applies the manifests of files and folders; each later call applies those that have changed
 * since, so that the user's changes with kubectl stay.
 */
export function changedManifestsApplier(
  target: ApplyTarget,
  { paths, manifests: read }: ManifestsToApply,
): () => Promise<readonly AppliedObject[]> {
  const applied = new Map<string, string>();
  return async () => {
    const manifests = read ?? (await readGiven("", paths));
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

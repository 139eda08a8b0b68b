import { existsSync } from "node:fs";
import { join } from "node:path";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { applyMergePatch } from "../../apimachinery/patch/merge-patch.ts";
import { readRegularFile } from "../../files/read-regular-file.ts";
import { isCrd } from "./install-crds.ts";
import { parseYaml, readManifests } from "./read-manifests.ts";

interface Kustomization {
  readonly resources?: readonly string[];
  readonly patches?: readonly { readonly path?: string }[];
}

/**
 * Reads CRDs and their patches from a file or a folder. In a folder with a kustomization, such as config/crd, reads
 * only the files that it names.
 */
export function readCrds(path: string): Promise<UnstructuredObject[]> {
  return readCrdsOnce(path, new Set());
}

/** Reads no kustomization twice: one of somebody else may include itself. */
async function readCrdsOnce(path: string, seen: Set<string>): Promise<UnstructuredObject[]> {
  const file = join(path, "kustomization.yaml");
  if (!existsSync(file)) return (await readManifests(path)).map(({ object }) => object);
  if (seen.has(file)) return [];
  seen.add(file);
  const [kustomization] = await parseYaml(readRegularFile(file).toString(), file);
  const { resources, patches } = (kustomization ?? {}) as Kustomization;
  // A list that holds only comments is null.
  const patchFiles = (patches ?? []).flatMap((patch) => patch.path ?? []);
  const names = [...(resources ?? []), ...patchFiles];
  return (await Promise.all(names.map((name) => readCrdsOnce(join(path, name), seen)))).flat();
}

/**
 * Merges patches into CRDs, as `kustomize build config/crd` does: a CRD without a group is a patch of the CRD with its
 * name. The last CRD of a name wins; a patch without a CRD is ignored.
 */
export function mergeCrdPatches(objects: readonly UnstructuredObject[]): UnstructuredObject[] {
  const crds = objects.filter(isCrd);
  const whole = new Map(crds.filter(isWhole).map((crd) => [crd.metadata.name, crd]));
  for (const patch of crds.filter((crd) => !isWhole(crd))) {
    const crd = whole.get(patch.metadata.name);
    if (crd) whole.set(crd.metadata.name, applyMergePatch(crd, patch) as UnstructuredObject);
  }
  return [...whole.values()];
}

function isWhole(crd: UnstructuredObject): boolean {
  return typeof crd["spec"] === "object" && crd["spec"] !== null && "group" in crd["spec"];
}

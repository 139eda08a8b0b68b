import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { applyMergePatch } from "../apimachinery/patch/merge-patch.ts";
import { isCrd } from "./install-crds.ts";

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

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { mergeCrdPatches } from "../../manifests/merge-crd-patches.ts";
import { readManifests } from "../../manifests/read-manifests.ts";
import { isWebhookConfiguration } from "../../sandbox/webhooks/route-webhooks.ts";

/** What a project wants on the server before its operator starts. */
export interface ProjectManifests {
  /** With the patches that a conversion webhook needs. */
  readonly crds: readonly UnstructuredObject[];
  readonly webhooks: readonly UnstructuredObject[];
}

/** Reads the CRDs and webhook configurations under config/. */
export async function readProjectManifests(root: string): Promise<ProjectManifests> {
  const read = async (...path: string[]): Promise<UnstructuredObject[]> => {
    const folder = join(root, "config", ...path);
    return existsSync(folder) ? (await readManifests(folder)).map(({ object }) => object) : [];
  };
  const [bases, patches, webhooks] = await Promise.all([
    read("crd", "bases"),
    read("crd", "patches"),
    read("webhook", "manifests.yaml"),
  ]);
  return { crds: mergeCrdPatches([...bases, ...patches]), webhooks: webhooks.filter(isWebhookConfiguration) };
}

/** True when the operator must serve webhooks: admission, or conversion of a CRD's versions. */
export function needsWebhooks({ crds, webhooks }: ProjectManifests): boolean {
  const converts = ({ spec }: UnstructuredObject) =>
    (spec as { conversion?: { strategy?: string } } | undefined)?.conversion?.strategy === "Webhook";
  return webhooks.length > 0 || crds.some(converts);
}

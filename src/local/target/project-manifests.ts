import { existsSync } from "node:fs";
import { join } from "node:path";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { mergeCrdPatches } from "../../client/manifests/read-crds.ts";
import { readManifests } from "../../client/manifests/read-manifests.ts";
import { isWebhookConfiguration } from "../../sandbox/webhooks/route-webhooks.ts";

/** The objects of a project that its operator needs on the server. */
export interface ProjectManifests {
  /** The CRDs, with the patches of conversion webhooks. */
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

/** Reports whether the operator must serve webhooks, for admission or for conversion. */
export function needsWebhooks(manifests: ProjectManifests): boolean {
  return manifests.webhooks.length > 0 || convertedKinds(manifests).length > 0;
}

/** Returns the kinds whose versions the operator converts: `Captain (v1, v2)`. */
export function convertedKinds({ crds }: ProjectManifests): string[] {
  return crds.flatMap(({ spec }) => {
    const { conversion, names, versions } = spec as CrdSpec;
    if (conversion?.strategy !== "Webhook") return [];
    return [`${names?.kind} (${versions?.map(({ name }) => name).join(", ")})`];
  });
}

interface CrdSpec {
  readonly conversion?: { readonly strategy?: string };
  readonly names?: { readonly kind?: string };
  readonly versions?: readonly { readonly name?: string }[];
}

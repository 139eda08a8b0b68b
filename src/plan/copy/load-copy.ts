import { groupBy } from "../../apimachinery/group-by.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { storageKey, type Snapshot } from "../../apiserver/storage/store.ts";
import type { ClusterCopy, CopiedObject } from "./cluster-copy.ts";

/** The state of a server that serves a copy. */
export interface LoadedCopy {
  readonly snapshot: Snapshot;
  /** The webhooks of others, which are not called. */
  readonly uncalled: readonly string[];
}

/**
 * Returns a copy as the state of a server. Webhooks that the manifests do not have belong to other programs: nobody
 * serves them here, so that they are left out.
 */
export function loadCopy({ objects }: ClusterCopy, manifests: readonly UnstructuredObject[]): LoadedCopy {
  const own = new Set(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  const uncalled: string[] = [];
  const loaded = objects.flatMap((copied): CopiedObject[] => {
    const { object, resource } = copied;
    const { kind, metadata, spec } = object;
    if (own.has(`${kind} ${metadata.name}`)) return [copied];
    if (kind === "MutatingWebhookConfiguration" || kind === "ValidatingWebhookConfiguration") {
      uncalled.push(`${kind} ${metadata.name}`);
      return [];
    }
    const { conversion } = (spec ?? {}) as { readonly conversion?: { readonly strategy?: string } };
    if (kind !== "CustomResourceDefinition" || conversion?.strategy !== "Webhook") return [copied];
    uncalled.push(`the conversion of ${metadata.name}`);
    return [{ resource, object: { ...object, spec: { ...(spec as object), conversion: { strategy: "None" } } } }];
  });
  const versions = objects.map(({ object }) => Number(object.metadata.resourceVersion));
  const revision = versions.filter(Number.isSafeInteger).reduce((a, b) => Math.max(a, b), 1);
  const entryOf = ({ object }: CopiedObject) =>
    [storageKey(object.metadata.namespace, object.metadata.name!), object] as const;
  const collections = [...groupBy(loaded, ({ resource }) => resource)].map(
    ([resource, members]) => [resource, Object.fromEntries(members.map(entryOf))] as const,
  );
  return { snapshot: { revision: revision + 1, objects: Object.fromEntries(collections) }, uncalled };
}

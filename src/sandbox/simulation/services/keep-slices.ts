import { equalJson } from "../../../apimachinery/equal.ts";
import type { ObjectMeta, OwnerReference, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreNotFound } from "../../../client/ignore-not-found.ts";
import { EndpointSliceKind } from "./service-kinds.ts";

/** What a controller writes to an EndpointSlice. */
export interface Slice {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences: OwnerReference[];
  readonly addressType: string;
  readonly endpoints: readonly object[] | null;
  readonly ports: readonly object[] | null;
}

/**
 * Keeps the EndpointSlices that a controller manages for a service. A slice keeps its ports; one whose ports are not
 * wanted any more is written anew, or deleted.
 */
export async function keepSlices(
  client: Client,
  { namespace, name = "" }: ObjectMeta,
  { manager, slices }: { readonly manager: string; readonly slices: readonly Slice[] },
): Promise<void> {
  const identity = { "endpointslice.kubernetes.io/managed-by": manager, "kubernetes.io/service-name": name };
  const { items } = await client.list(EndpointSliceKind, { namespace, labels: identity });
  const left = new Set<UnstructuredObject>(items);
  const take = (fits: (live: UnstructuredObject) => boolean): UnstructuredObject | undefined => {
    const live = [...left].find(fits);
    if (live) left.delete(live);
    return live;
  };
  const same = slices.map((slice) => take((live) => groupOf({ ...live } as unknown as Grouped) === groupOf(slice)));
  for (const [at, { labels, annotations, ownerReferences, ...content }] of slices.entries()) {
    const wanted = { labels: { ...labels, ...identity }, ...(annotations && { annotations }), ownerReferences };
    const live = same[at] ?? take(({ addressType }) => addressType === content.addressType);
    if (!live) {
      const metadata = { generateName: `${name}-`, ...(namespace && { namespace }), ...wanted };
      await client.create(EndpointSliceKind, { metadata, ...content });
      continue;
    }
    const next = { ...live, ...content, metadata: { ...live.metadata, ...wanted } };
    if (!equalJson(next, live)) await client.update(EndpointSliceKind, next);
  }
  for (const { metadata } of left)
    await client.delete(EndpointSliceKind, { namespace, name: metadata.name ?? "" }).catch(ignoreNotFound);
}

type Grouped = Pick<Slice, "addressType" | "ports">;

function groupOf({ addressType, ports }: Grouped): string {
  const texts = (ports ?? []).map((port) => JSON.stringify(Object.entries(port).sort()));
  return JSON.stringify([addressType, texts.sort()]);
}

import { equalJson } from "../../../apimachinery/equal.ts";
import type { ObjectMeta, OwnerReference } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreNotFound } from "../../../client/ignore-not-found.ts";
import { packEndpoints, type Endpoint } from "./pack-endpoints.ts";
import { EndpointSliceKind } from "./service-kinds.ts";

/** Endpoints with the same ports, and what a controller writes to their EndpointSlices. */
export interface SliceGroup {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences: OwnerReference[];
  readonly addressType: string;
  readonly endpoints: readonly Endpoint[];
  readonly ports: readonly object[] | null;
}

interface Managed {
  readonly manager: string;
  readonly groups: readonly SliceGroup[];
  /** The number of endpoints that a slice can have. */
  readonly most: number;
}

/**
 * Keeps the EndpointSlices that a controller manages for a service. A slice keeps its ports; one whose ports are not
 * wanted any more is written anew, or deleted.
 */
export async function keepSlices(
  client: Client,
  { namespace, name = "" }: ObjectMeta,
  { manager, groups, most }: Managed,
): Promise<void> {
  const identity = { "endpointslice.kubernetes.io/managed-by": manager, "kubernetes.io/service-name": name };
  const { items } = await client.list(EndpointSliceKind, { namespace, labels: identity });
  const left = new Set(items);
  const packed = groups.flatMap((group) => {
    const stored = [...left].filter((live) => groupOf({ ...live } as unknown as Grouped) === groupOf(group));
    const slices = packEndpoints(stored, group.endpoints, most);
    for (const { live } of slices) if (live) left.delete(live);
    return slices.map((slice) => ({ ...slice, group }));
  });
  for (const { live: own, endpoints: some, group } of packed) {
    const { labels, annotations, ownerReferences, addressType, ports } = group;
    const wanted = { labels: { ...labels, ...identity }, ...(annotations && { annotations }), ownerReferences };
    const content = { addressType, endpoints: some.length > 0 ? some : null, ports };
    const live = own ?? [...left].find((other) => other["addressType"] === addressType);
    if (!live) {
      const metadata = { generateName: `${name}-`, ...(namespace && { namespace }), ...wanted };
      await client.create(EndpointSliceKind, { metadata, ...content });
      continue;
    }
    left.delete(live);
    const next = { ...live, ...content, metadata: { ...live.metadata, ...wanted } };
    if (!equalJson(next, live)) await client.update(EndpointSliceKind, next);
  }
  for (const { metadata } of left)
    await client.delete(EndpointSliceKind, { namespace, name: metadata.name ?? "" }).catch(ignoreNotFound);
}

type Grouped = Pick<SliceGroup, "addressType" | "ports">;

function groupOf({ addressType, ports }: Grouped): string {
  const texts = (ports ?? []).map((port) => JSON.stringify(Object.entries(port).sort()));
  return JSON.stringify([addressType, texts.sort()]);
}

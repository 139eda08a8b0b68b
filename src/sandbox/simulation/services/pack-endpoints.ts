import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";

/** The fields of an endpoint by which it is known. */
export interface Endpoint {
  readonly addresses: readonly (string | undefined)[];
  readonly targetRef?: object;
  readonly [field: string]: unknown;
}

/** What one EndpointSlice holds; `live` is the stored one, if there is one. */
export interface PackedSlice<T> {
  readonly live?: T;
  readonly endpoints: readonly Endpoint[];
}

interface Packing<T> {
  readonly live?: T;
  readonly endpoints: Endpoint[];
  readonly isChanged: boolean;
}

/**
 * Distributes endpoints over EndpointSlices so that few of them change: each endpoint stays where it is. New ones go to
 * slices that change anyway, then to one with room for all that are left, then to new slices.
 */
export function packEndpoints<T extends UnstructuredObject>(
  stored: readonly T[],
  wanted: readonly Endpoint[],
  most: number,
): PackedSlice<T>[] {
  const [first] = stored;
  if (wanted.length === 0) return [{ ...(first && { live: first }), endpoints: [] }];
  const left = new Map(wanted.map((endpoint) => [keyOf(endpoint), endpoint]));
  const take = (key: string): Endpoint[] => {
    const endpoint = left.get(key);
    return left.delete(key) ? [endpoint!] : [];
  };
  const fill = ({ endpoints }: Packing<T>): void => {
    for (const key of [...left.keys()].slice(0, most - endpoints.length)) endpoints.push(...take(key));
  };
  const slices = stored
    .map((live): Packing<T> => {
      const before = (live["endpoints"] ?? []) as Endpoint[];
      const endpoints = before.flatMap((endpoint) => take(keyOf(endpoint)));
      return { live, endpoints, isChanged: !equalJson(endpoints, before) };
    })
    .filter(({ endpoints }) => endpoints.length > 0)
    .toSorted((a, b) => b.endpoints.length - a.endpoints.length);
  for (const slice of slices) if (slice.isChanged) fill(slice);
  const roomy = slices.find(({ endpoints, isChanged }) => !isChanged && endpoints.length + left.size <= most);
  if (roomy) fill(roomy);
  while (left.size > 0) {
    const added: Packing<T> = { endpoints: [], isChanged: true };
    fill(added);
    slices.push(added);
  }
  return slices;
}

function keyOf({ addresses, targetRef }: Endpoint): string {
  const { namespace, name } = (targetRef ?? {}) as { readonly namespace?: string; readonly name?: string };
  return JSON.stringify([addresses, namespace, name]);
}

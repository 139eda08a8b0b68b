import { groupKindOf, type Kind } from "../apimachinery/kind.ts";
import type { KubeList, KubeObject, ObjectKey } from "../apimachinery/meta.ts";
import type { CallOptions, Client, ListOptions, Reader } from "../client/client.ts";

export interface CachedClientOptions {
  /** Kinds that are always read from the server, such as Secrets of the whole cluster. */
  readonly disableFor?: readonly Kind[];
}

/** Reads from the cache and does everything else on the server. */
export function cachedClient(live: Client, cache: Reader, options: CachedClientOptions = {}): Client {
  const uncached = new Set((options.disableFor ?? []).map(groupKindOf));
  const readerOf = (kind: Kind): Reader => (uncached.has(groupKindOf(kind)) ? live : cache);
  return {
    status: live.status,
    subResource: (name) => live.subResource(name),
    get: <T extends KubeObject>(kind: Kind<T>, key: ObjectKey, call?: CallOptions): Promise<T> =>
      readerOf(kind).get(kind, key, call),
    getOrUndefined: <T extends KubeObject>(kind: Kind<T>, key: ObjectKey, call?: CallOptions): Promise<T | undefined> =>
      readerOf(kind).getOrUndefined(kind, key, call),
    list: <T extends KubeObject>(kind: Kind<T>, query?: ListOptions): Promise<KubeList<T>> =>
      readerOf(kind).list(kind, query),
    listEach: (kind, query) => live.listEach(kind, query),
    watch: (kind, query) => live.watch(kind, query),
    create: (kind, object, write) => live.create(kind, object, write),
    update: (kind, object, write) => live.update(kind, object, write),
    patch: (kind, key, patch, write) => live.patch(kind, key, patch, write),
    apply: (kind, object, write) => live.apply(kind, object, write),
    delete: (kind, key, write) => live.delete(kind, key, write),
    deleteAllOf: (kind, write) => live.deleteAllOf(kind, write),
  };
}

import { groupKindOf, type Kind } from "../../apimachinery/kind.ts";
import {
  objectKey,
  type DeepReadonly,
  type KubeList,
  type KubeObject,
  type ObjectKey,
  type ObjectRef,
  type Named,
  type UnstructuredObject,
  type WatchEvent,
} from "../../apimachinery/meta.ts";
import type {
  ApplyConfiguration,
  ApplyOptions,
  CacheWatchOptions,
  CallOptions,
  Client,
  DeleteOptions,
  Deletion,
  GetOptions,
  LazyEvent,
  ListOptions,
  ReadonlyListOptions,
  Patch,
  Reader,
  SubResourceClient,
  WatchOptions,
  WriteOptions,
} from "../../client/client.ts";
import type { Cache } from "../cache/cache.ts";

/** The reads of a manager's client that go to the server instead of the cache. */
export interface CachedClientOptions {
  /** Kinds that are always read from the server, such as the Secrets of a whole cluster. */
  readonly disableFor?: readonly Kind[];
  /** The client's own default: a dry run changes nothing, so it is not added to the cache. */
  readonly dryRun?: boolean | undefined;
}

/** Creates a client that reads from the cache, writes to the server, and adds its writes to the cache. */
export function cachedClient(live: Client, cache: Cache, options: CachedClientOptions = {}): Client {
  return new CachedClient(live, cache, options);
}

class CachedClient implements Client {
  readonly status: SubResourceClient;
  private readonly live: Client;
  private readonly cache: Cache;
  private readonly uncached: ReadonlySet<string>;
  private readonly dryRun: boolean;

  constructor(live: Client, cache: Cache, options: CachedClientOptions) {
    this.live = live;
    this.cache = cache;
    this.uncached = new Set((options.disableFor ?? []).map(groupKindOf));
    this.dryRun = options.dryRun ?? false;
    const { status } = live;
    this.status = {
      get: (kind, key, call) => status.get(kind, key, call),
      create: (kind, key, body, write) => status.create(kind, key, body, write),
      update: (kind, object, write) => this.written(kind, write, status.update(kind, object, write)),
      patch: (kind, key, patch, write) => this.written(kind, write, status.patch(kind, key, patch, write)),
      apply: (kind, object, write) => this.written(kind, write, status.apply(kind, object, write)),
    };
  }

  subResource(name: string): SubResourceClient {
    return name === "status" ? this.status : this.live.subResource(name);
  }

  kindFor(apiVersion: string, kind: string, options?: CallOptions): Promise<Kind<UnstructuredObject>> {
    return this.live.kindFor(apiVersion, kind, options);
  }

  preferredKindFor(group: string, kind: string, options?: CallOptions): Promise<Kind<UnstructuredObject>> {
    return this.live.preferredKindFor(group, kind, options);
  }

  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: GetOptions): Promise<Named<T>> {
    return this.readerOf(kind, options).get(kind, key, options);
  }

  getOrUndefined<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: GetOptions,
  ): Promise<Named<T> | undefined> {
    return this.readerOf(kind, options).getOrUndefined(kind, key, options);
  }

  list<T extends KubeObject>(kind: Kind<T>, options: ReadonlyListOptions): Promise<DeepReadonly<KubeList<Named<T>>>>;
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<KubeList<Named<T>>>;
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions | ReadonlyListOptions): Promise<KubeList<Named<T>>> {
    // The reader checks the option itself.
    return this.readerOf(kind, options).list(kind, options as ListOptions);
  }

  listEach<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): AsyncIterable<Named<T>> {
    return this.live.listEach(kind, options);
  }

  watch<T extends KubeObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>> {
    return this.live.watch(kind, options);
  }

  watchBatches<T extends KubeObject>(kind: Kind<T>, options: CacheWatchOptions): AsyncIterable<Iterable<LazyEvent<T>>> {
    return this.live.watchBatches(kind, options);
  }

  create<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<Named<T>> {
    return this.written(kind, options, this.live.create(kind, object, options));
  }

  update<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<Named<T>> {
    return this.written(kind, options, this.live.update(kind, object, options));
  }

  patch<T extends KubeObject>(
    kind: Kind<T>,
    object: ObjectRef,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<Named<T>> {
    return this.written(kind, options, this.live.patch(kind, object, patch, options));
  }

  apply<T extends KubeObject>(kind: Kind<T>, object: ApplyConfiguration<T>, options: ApplyOptions): Promise<Named<T>> {
    return this.written(kind, options, this.live.apply(kind, object, options));
  }

  async delete(kind: Kind, object: ObjectRef, options?: DeleteOptions): Promise<void> {
    await this.deleteAndTell(kind, object, options);
  }

  async deleteAndTell<T extends KubeObject>(
    kind: Kind<T>,
    object: ObjectRef,
    options?: DeleteOptions,
  ): Promise<Deletion<T>> {
    const answer = await this.live.deleteAndTell(kind, object, options);
    if (!(options?.dryRun ?? this.dryRun)) this.cache.rememberDeletion(kind, objectKey(object), answer);
    return answer;
  }

  deleteAllOf(kind: Kind, options?: ListOptions & DeleteOptions): Promise<void> {
    return this.live.deleteAllOf(kind, options);
  }

  /** Chooses the reader: only the server can return a state at least as new as a version. */
  private readerOf(kind: Kind, options?: Pick<GetOptions, "resourceVersion">): Reader {
    const uncached = this.uncached.size > 0 && this.uncached.has(groupKindOf(kind));
    return uncached || options?.resourceVersion ? this.live : this.cache;
  }

  /** Adds a write to the cache, unless it was a dry run. */
  private async written<T extends KubeObject>(
    kind: Kind<T>,
    options: WriteOptions | undefined,
    answer: Promise<Named<T>>,
  ): Promise<Named<T>> {
    const object = await answer;
    if (!(options?.dryRun ?? this.dryRun)) this.cache.remember(kind, object);
    return object;
  }
}

import type { Kind } from "../apimachinery/kind.ts";
import type {
  DeepReadonly,
  KubeList,
  KubeObject,
  Named,
  ObjectKey,
  ObjectMeta,
  ObjectRef,
  UnstructuredObject,
  WatchEvent,
} from "../apimachinery/meta.ts";
import type { Status } from "../apimachinery/status.ts";
import type { LazyObject } from "./calls/lazy-object.ts";

/** Reads objects. A cache is a Reader, and so is `Manager.apiReader`. */
export interface Reader {
  /** Throws `isNotFound` if the object does not exist. The result is the caller's own copy. */
  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: GetOptions): Promise<Named<T>>;
  getOrUndefined<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: GetOptions,
  ): Promise<Named<T> | undefined>;
  /** Lists shared objects of a cache. Nothing is copied, so the caller must not change them. */
  list<T extends KubeObject>(kind: Kind<T>, options: ReadonlyListOptions): Promise<DeepReadonly<KubeList<Named<T>>>>;
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<KubeList<Named<T>>>;
}

/** Writes objects. Every call returns the server's answer and does not change its argument. */
export interface Writer {
  create<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<Named<T>>;
  /** PUT. With `metadata.resourceVersion`, fails with a conflict if the object has changed since. */
  update<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<Named<T>>;
  patch<T extends KubeObject>(
    kind: Kind<T>,
    object: ObjectRef,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<Named<T>>;
  /** Server-side apply; the object needs a name, and `fieldOwner` is required. */
  apply<T extends KubeObject>(kind: Kind<T>, object: ApplyConfiguration<T>, options: ApplyOptions): Promise<Named<T>>;
  delete(kind: Kind, object: ObjectRef, options?: DeleteOptions): Promise<void>;
  deleteAllOf(kind: Kind, options?: ListOptions & DeleteOptions): Promise<void>;
}

/**
 * The same verbs on `/status`, `/scale` or another subresource.
 *
 * @example
 * const scale = await client.subResource("scale").get<{ spec: { replicas: number } }>(Deployment, request);
 * const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: request };
 * await client.subResource("eviction").create(Pod, request, eviction);
 */
export interface SubResourceClient extends Pick<Writer, "update" | "patch" | "apply"> {
  get<T extends object>(kind: Kind, object: ObjectRef, options?: CallOptions): Promise<T>;
  create<T extends object>(kind: Kind, object: ObjectRef, body: T, options?: WriteOptions): Promise<T>;
}

/**
 * Reads and writes objects of any kind; `mgr.client` reads from the cache.
 *
 * @example
 * const { items } = await client.list(Memcached, { namespace: "default", labels: "tier=cache" });
 * for (const memcached of items) await client.delete(Memcached, memcached);
 */
export interface Client extends Reader, Writer {
  readonly status: SubResourceClient;
  subResource(name: string): SubResourceClient;
  /**
   * Returns the Kind of a type that the program knows only by name, for example from a manifest. Asks the server once,
   * and again if the kind was not served. Throws `isKindNotServed` if the server does not serve it.
   */
  kindFor(apiVersion: string, kind: string, options?: CallOptions): Promise<Kind<UnstructuredObject>>;
  /** Returns the Kind in the version that the server prefers. The core group is `""`. */
  preferredKindFor(group: string, kind: string, options?: CallOptions): Promise<Kind<UnstructuredObject>>;
  /** A raw watch without cache and reconnect; leaving the loop closes the stream. */
  watch<T extends KubeObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** @internal A watch for a cache: events that arrive together are batched. */
  watchBatches<T extends KubeObject>(kind: Kind<T>, options: CacheWatchOptions): AsyncIterable<Iterable<LazyEvent<T>>>;
  /** @internal `delete` for a cache, which needs the result. */
  deleteAndTell<T extends KubeObject>(kind: Kind<T>, object: ObjectRef, options?: DeleteOptions): Promise<Deletion<T>>;
  /** Yields every object of a list, page by page, without holding them all. */
  listEach<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): AsyncIterable<Named<T>>;
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Options for reading one object. */
export interface GetOptions extends CallOptions {
  /**
   * Bypasses the cache: `"0"` accepts any version that the server has, another version requires one at least as new.
   */
  readonly resourceVersion?: string;
}

/** Options for listing objects. */
export interface ListOptions extends CallOptions {
  /** Without a namespace, the objects of all namespaces. */
  readonly namespace?: string | undefined;
  /** A selector, such as `app=web,tier in (a,b)`, or the values of labels. */
  readonly labels?: string | Readonly<Record<string, string>>;
  /** A selector, such as `status.phase=Running`, or the values of fields; a cache needs an index of each. */
  readonly fields?: string | Readonly<Record<string, string>>;
  /** The most objects of a page, whose `metadata.continue` begins the next one. */
  readonly limit?: number;
  /** The `metadata.continue` of the page before. */
  readonly continue?: string;
  /** Bypasses the cache, as in `GetOptions`. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
  readonly readonly?: false;
}

/** Options for a list that is only read: a cache returns its objects themselves instead of copies. */
export interface ReadonlyListOptions extends Omit<ListOptions, "readonly"> {
  readonly readonly: true;
}

/** Options for watching objects. */
export interface WatchOptions extends ListOptions {
  readonly allowBookmarks?: boolean;
  readonly timeoutSeconds?: number;
  readonly sendInitialEvents?: boolean;
}

/** @internal */
export interface CacheWatchOptions extends WatchOptions {
  /** Removes `metadata.managedFields`. */
  readonly stripManagedFields: boolean;
}

/** @internal An event for a cache. */
export type LazyEvent<T extends KubeObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: LazyObject<T> }
  | { readonly type: "BOOKMARK"; readonly object: KubeObject };

/** The answer to a deletion: the object, which may still be terminating, or a Status. */
export type Deletion<T extends KubeObject> = Named<T> | Status;

/** Options for every change of an object. */
export interface WriteOptions extends CallOptions {
  /** The server does everything but store the change. */
  readonly dryRun?: boolean;
  /** The name of the writer in `metadata.managedFields`. */
  readonly fieldOwner?: string;
  /** What the server does about unknown and repeated fields; its default is `Warn`. */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
}

/** Options for server-side apply. */
export interface ApplyOptions extends WriteOptions {
  readonly fieldOwner: string;
  /** Takes over fields from other owners instead of failing with a conflict. */
  readonly force?: boolean;
}

/** Options for deletions. */
export interface DeleteOptions extends CallOptions {
  /** The server does everything but delete the object. */
  readonly dryRun?: boolean;
  /** The time that a pod has to end; 0 removes it at once. */
  readonly gracePeriodSeconds?: number;
  /** Whether the objects that it owns stay, are deleted afterwards (the default for most kinds), or before it. */
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
  /** Deletes only this object, or only this version of it; otherwise, the call fails with a conflict. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** The media type of a patch. */
export type PatchType =
  | "application/json-patch+json"
  | "application/merge-patch+json"
  | "application/strategic-merge-patch+json"
  | "application/apply-patch+yaml";

/** A change of an object. Create one with `mergeFrom`, `mergePatch`, `jsonPatch` or `rawPatch`. */
export interface Patch {
  readonly type: PatchType;
  readonly body: unknown;
}

/** The fields that the owner wants to own. */
export type ApplyConfiguration<T> = DeepPartial<Omit<T, "metadata">> & { metadata: ObjectMeta & { name: string } };

/** The type with every field optional, recursively; maps keep their values. */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? DeepPartial<Item>[]
  : T extends object
    ? string extends keyof T
      ? { [Key in keyof T]: DeepPartial<T[Key]> }
      : { [Key in keyof T]?: DeepPartial<T[Key]> }
    : T;

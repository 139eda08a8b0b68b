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

/** Reads objects. A cache is a Reader, and so is what `Manager.apiReader` gives. */
export interface Reader {
  /** Throws `isNotFound` when there is no such object. The result is the caller's own copy. */
  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: GetOptions): Promise<Named<T>>;
  getOrUndefined<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: GetOptions,
  ): Promise<Named<T> | undefined>;
  /** Of a cache: its own objects, which all such readers share. Nothing is copied, and nobody may change them. */
  list<T extends KubeObject>(kind: Kind<T>, options: ReadonlyListOptions): Promise<DeepReadonly<KubeList<Named<T>>>>;
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<KubeList<Named<T>>>;
}

/** Writes objects; every call returns the server's answer and leaves its argument alone. */
export interface Writer {
  create<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<Named<T>>;
  /** PUT; `metadata.resourceVersion` makes it fail with a conflict when the object has changed since. */
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
   * The Kind of a type that the program knows by its name only, as in a manifest; asked of the server once, and again
   * after the server has denied it. Throws `isKindNotServed` when the server doesn't know it.
   */
  kindFor(apiVersion: string, kind: string, options?: CallOptions): Promise<Kind<UnstructuredObject>>;
  /** The same where the version does not matter: the one that the server prefers. The core group is `""`. */
  preferredKindFor(group: string, kind: string, options?: CallOptions): Promise<Kind<UnstructuredObject>>;
  /** A raw watch without cache or reconnect; leaving the loop closes the stream. */
  watch<T extends KubeObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** @internal The same for a cache: what arrives together comes together, with the JSON of the objects. */
  watchBatches<T extends KubeObject>(kind: Kind<T>, options: CacheWatchOptions): AsyncIterable<Iterable<TextEvent<T>>>;
  /** @internal `delete`, for a cache that wants to know what became of the object. */
  deleteAndTell<T extends KubeObject>(kind: Kind<T>, object: ObjectRef, options?: DeleteOptions): Promise<Deletion<T>>;
  /** Every object of a list, page by page, without holding them all. */
  listEach<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): AsyncIterable<Named<T>>;
}

/** For every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** For reading one object. */
export interface GetOptions extends CallOptions {
  /** Not from the cache: `"0"` takes what the server has at hand, any other version something at least as new. */
  readonly resourceVersion?: string;
}

/** Which objects to list, and how. */
export interface ListOptions extends CallOptions {
  readonly namespace?: string | undefined;
  readonly labels?: string | Readonly<Record<string, string>>;
  readonly fields?: string | Readonly<Record<string, string>>;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
  readonly readonly?: false;
}

/** For a list that is only looked at: a cache gives its objects themselves instead of copies. */
export interface ReadonlyListOptions extends Omit<ListOptions, "readonly"> {
  readonly readonly: true;
}

/** Which objects to watch, and from where on. */
export interface WatchOptions extends ListOptions {
  readonly allowBookmarks?: boolean;
  readonly timeoutSeconds?: number;
  readonly sendInitialEvents?: boolean;
}

/** @internal */
export interface CacheWatchOptions extends WatchOptions {
  /** Leaves `metadata.managedFields` out. */
  readonly stripManagedFields: boolean;
}

/** @internal An event with its object's JSON, where that is there without writing it anew. */
export type TextEvent<T extends KubeObject> = WatchEvent<T> & { readonly text?: string | undefined };

/** What a server says of a deletion: the object, which may live on for a while, or only that it is gone. */
export type Deletion<T extends KubeObject> = Named<T> | Status;

/** For everything that changes objects. */
export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly fieldOwner?: string;
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
}

/** For server-side apply. */
export interface ApplyOptions extends WriteOptions {
  readonly fieldOwner: string;
  /** Takes fields over from other owners instead of failing with a conflict. */
  readonly force?: boolean;
}

/** For deletions. */
export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** The media type of a patch. */
export type PatchType =
  | "application/json-patch+json"
  | "application/merge-patch+json"
  | "application/strategic-merge-patch+json"
  | "application/apply-patch+yaml";

/** A change of an object: make one with `mergeFrom`, `mergePatch`, `jsonPatch` or `rawPatch`. */
export interface Patch {
  readonly type: PatchType;
  readonly body: unknown;
}

/** Only the fields that the owner wants to own. */
export type ApplyConfiguration<T> = DeepPartial<Omit<T, "metadata">> & { metadata: ObjectMeta & { name: string } };

/** The same type with every field optional, down to the leaves; maps keep their values. */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? DeepPartial<Item>[]
  : T extends object
    ? string extends keyof T
      ? { [Key in keyof T]: DeepPartial<T[Key]> }
      : { [Key in keyof T]?: DeepPartial<T[Key]> }
    : T;
